import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 2: a cache and a second screen", .oneAtATime)
struct Step2ACacheAndASecondScreen {
  @Test("a profile delivered synchronously is shown before `viewDidLoad` returns")
  func showsImmediateProfile() throws {
    let sut = ProfileViewController(service: ProfileServiceSpy(responding: { .success(.ada) }))

    try requireProfileScreenHops()
    sut.loadViewIfNeeded()

    let rule: Comment = """
      If a result arrives on the main queue (`MainQueue.isCurrent`), show it without a hop. It may arrive before the call returns, \
      so show "loading" before the call.
      """
    #expect(sut.userNameLabel.text == "Ada Lovelace", rule)
    #expect(sut.addressLabel.text == Profile.ada.address, rule)
  }

  @Test("a result from the main queue is shown before the completion returns")
  func showsResultOfTheMainQueue() throws {
    try requireProfileScreenHops()
    for result in [Result<Profile, any Error>.success(.ada), .failure(SampleError.explained.error)] {
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: service)

      sut.loadViewIfNeeded()
      service.calls.complete(with: result)

      #expect(
        (sut.userNameLabel.text, sut.errorView.message)
          == (result.failure == nil ? ("Ada Lovelace", nil) : ("loading", "The article is missing.")),
        "If a result arrives on the main queue, show it without a hop, whether it is a profile or an error.")
    }
  }

  @Test("a profile delivered inside `backgroundQueue.sync` is shown after a hop")
  func showsProfileOfSyncBlock() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    try requireProfileScreenHops()
    sut.loadViewIfNeeded()
    DispatchQueue.newBackgroundQueue.sync { service.calls.complete(with: .success(.ada)) }
    await settled { sut.userNameLabel.text == "Ada Lovelace" }

    #expect(
      sut.writesOffMainQueue.isEmpty, "The completion ran on the cache's queue. Check the queue, and not the thread or the time.")
    #expect(sut.userNameLabel.results == ["Ada Lovelace"], "A result needs a hop unless it arrives on the main queue.")
  }

  @Test("the user screen calls its loader once, and shows `loading`")
  func userScreenShowsLoading() async throws {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    #expect(loader.calls.count == 0, "The loader was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    try loadView(of: sut) { UserViewController(loader: UserLoaderSpy()) }
    #expect(loader.calls.count == 1, "Loading the view should call the loader once. Call it in `viewDidLoad`.")
    await settled { sut.label.text == "loading" }
    #expect(Set(sut.label.texts) == ["loading"], "Show \"loading\", and nothing else, until the loader delivers a text.")
  }

  @Test("after a hop, the user screen shows results from a background queue")
  func userScreenHops() async {
    await each("text", in: ["Ada Lovelace", ""]) { text in
      let loader = UserLoaderSpy()
      let sut = UserViewController(loader: loader)
      sut.loadViewIfNeeded()

      await loader.calls.complete(with: text, on: .newBackgroundQueue)
      await settled { sut.label.text == text }

      #expect(sut.label.results == [text], "When the loader delivers a text, show it once, unchanged, even if it is empty.")
      #expect(sut.label.writesOffMainQueue.isEmpty, "The label was changed on the loader's queue. Change it on the main queue.")
    }
  }

  @Test("the user screen shows main-queue results without a hop")
  func userScreenShowsImmediateResult() async throws {
    let loader = UserLoaderSpy()
    let early = UserViewController(loader: UserLoaderSpy(responding: { "Ada Lovelace" }))
    let late = UserViewController(loader: loader)

    try requireUserScreenHops()
    early.loadViewIfNeeded()
    #expect(
      early.label.text == "Ada Lovelace",
      "The text arrived on the main queue, before the call returned. Show \"loading\" before the call, and the text without a hop."
    )
    late.loadViewIfNeeded()
    loader.calls.complete(with: "Ada Lovelace")
    #expect(late.label.text == "Ada Lovelace", "If a text arrives on the main queue, show it before the completion returns.")

    await mainQueueDrained()
    #expect(early.label.results == ["Ada Lovelace"], "Show each result once, and not again after a hop.")
    #expect(late.label.results == ["Ada Lovelace"], "Show each result once, and not again after a hop.")
  }

  @Test("the user screen is released when the user leaves")
  func userScreenIsReleased() async {
    let loader = UserLoaderSpy()
    await expectReleased("The user has left during the load. The completion should not retain the controller.") { leaks in
      let sut = leaks.track(UserViewController(loader: loader))
      sut.loadViewIfNeeded()
      #expect(loader.calls.count == 1, "Loading the view should call the loader once. Call it in `viewDidLoad`.")
    }
    await loader.calls.complete(with: "Ada Lovelace", on: .newBackgroundQueue)

    await expectReleased("The screen has shown its text, and the user has left. Which closure still retains the controller?") {
      leaks in
      let sut = leaks.track(UserViewController(loader: loader))
      sut.loadViewIfNeeded()
      await loader.calls.complete(1, with: "Ada Lovelace", on: .newBackgroundQueue)
      await settled { sut.label.text == "Ada Lovelace" }
    }
  }

  @Test("hundreds of screens show their own results, wherever those arrive")
  func weathersAStorm() async throws {
    try requireProfileScreenHops()
    try requireUserScreenHops()
    await expectEachScreenShowsItsResult()
  }
}
