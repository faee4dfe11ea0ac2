import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 3: it spreads", .patientOnce)
struct Step3ItSpreads {
  @Test("a profile that is there at once fills the screen before `viewDidLoad` returns")
  func showsCachedProfile() async {
    let sut = ProfileViewController(service: ImmediateService(result: .success(.ada)))

    sut.loadViewIfNeeded()

    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The cache answered at once, on the main queue: by now the user name should have been written, after \"loading\", without a hop."
    )
    #expect(
      sut.addressLabel.texts == ["loading", "12 St James's Square, London"],
      "The cache answered at once, on the main queue: by now the address should have been written, after \"loading\", without a hop."
    )
    await mainQueueDrained()
    for label in [sut.userNameLabel, sut.addressLabel] {
      #expect(
        label.texts.count == 2, "Each label is written to twice, \"loading\" and the answer, and not once more after a hop.")
    }
  }

  @Test("an error that is there at once is shown before `viewDidLoad` returns")
  func showsImmediateError() {
    let sut = ProfileViewController(service: ImmediateService(result: .failure(HTTPClientError.signedOut)))

    sut.loadViewIfNeeded()

    #expect(
      sut.errorView.messages == ["Please sign in."],
      "The service fails at once on the main queue: the message has to be there at once as well, and only once.")
  }

  @Test("an answer on the main queue, later, is shown at once as well")
  func showsLaterAnswerAtOnce() {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    service.calls.complete(with: .success(.ada))

    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The answer came on the main queue: write it on the spot, and once.")
    #expect(
      sut.addressLabel.texts == ["loading", "12 St James's Square, London"],
      "The answer came on the main queue: write it on the spot, and once.")
  }

  @Test("an error on the main queue, later, is shown at once as well")
  func showsLaterErrorAtOnce() {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    service.calls.complete(with: .failure(HTTPClientError.signedOut))

    #expect(sut.errorView.messages == ["Please sign in."], "The error came on the main queue: show it on the spot, and once.")
  }

  @Test("neither screen holds its service up until the main queue has time")
  func doesNotBlockServices() async throws {
    let (service, loader) = (ProfileServiceSpy(), UserLoaderSpy())
    let (profileScreen, userScreen) = (ProfileViewController(service: service), UserViewController(loader: loader))

    profileScreen.loadViewIfNeeded()
    userScreen.loadViewIfNeeded()
    try #require(service.calls.count == 1, "The profile screen calls its service once, when the view has loaded.")
    try #require(loader.calls.count == 1, "The second screen calls its loader once, when the view has loaded.")
    let profileHasReturned = returnsWithoutMainQueue { service.calls.complete(with: .success(.ada)) }
    let userHasReturned = returnsWithoutMainQueue { loader.calls.complete(with: "user data loaded") }
    await mainQueueDrained()

    #expect(profileHasReturned, "The service's queue waits for the main queue: hand the profile over with `async`, and go on.")
    #expect(userHasReturned, "The loader's queue waits for the main queue: hand the data over with `async`, and go on.")
    #expect(profileScreen.userNameLabel.text == "Ada Lovelace", "The user name never reached the screen.")
    #expect(userScreen.label.text == "user data loaded", "The user's data never reached the screen.")
  }

  @Test("the second screen says \"loading\", and asks its loader once when the view has loaded")
  func userScreenShowsLoading() {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    #expect(loader.calls.count == 0, "Nobody wants to see the screen yet: there is nothing to fetch in `init`.")
    sut.loadViewIfNeeded()

    #expect(loader.calls.count == 1, "Ask the loader for the user's data in `viewDidLoad`, once, and on the spot.")
    #expect(sut.label.text == "loading", "There is no answer yet: the label should say \"loading\".")
  }

  @Test("the second screen writes an answer from a background queue on the main queue", arguments: BackgroundQueue.allCases)
  func userScreenHops(queue: BackgroundQueue) async {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    sut.loadViewIfNeeded()
    await loader.calls.complete(with: "user data loaded", on: queue.queue)
    await mainQueueDrained()

    #expect(
      sut.label.texts == ["loading", "user data loaded"],
      "The label should be written to exactly twice: \"loading\" first, then the user's data.")
    #expect(
      sut.label.writesOffMainQueue.isEmpty,
      "The loader answered on a background queue, and the label was written there. The rule is the same on every screen.")
  }

  @Test("the second screen is filled at once when the data is there at once")
  func userScreenShowsCachedData() async {
    let sut = UserViewController(loader: ImmediateLoader(data: "user data from the cache"))

    sut.loadViewIfNeeded()

    #expect(
      sut.label.texts == ["loading", "user data from the cache"],
      "The loader answered at once, on the main queue: by now its data should have been written, after \"loading\", without a hop."
    )
    await mainQueueDrained()
    #expect(
      sut.label.texts.count == 2, "The label is written to twice, \"loading\" and the data, and not once more after a hop.")
  }

  @Test("the second screen is not kept for a slow answer either")
  func letsGoOfTheUserScreen() async {
    let loader = UserLoaderSpy()

    await expectReleased("The completion keeps the controller alive until the loader answers. Capture it weakly.") { leaks in
      leaks.track(UserViewController(loader: loader)).loadViewIfNeeded()
    }

    // The answer comes all the same, and must do no harm.
    await loader.calls.complete(with: "user data loaded", on: .global())
    await mainQueueDrained()
  }
}

/// Answers before `getProfile` returns, on the queue of its caller, as a cache in memory does.
private struct ImmediateService: ProfileService {
  let result: Result<Profile, any Error>

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    completion(result)
  }
}

/// Answers before `fetchUserData` returns, on the queue of its caller, as a cache in memory does.
private struct ImmediateLoader: UserLoader {
  let data: String

  func fetchUserData(completion: @escaping (String) -> Void) {
    completion(data)
  }
}
