import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 1: show", .patientOnce)
struct Step1Show {
  @Test("the service is asked once, when the view has loaded")
  func asksWhenLoaded() {
    let (sut, service) = makeSUT()

    #expect(service.calls.count == 0, "Nobody wants to see the screen yet: there is nothing to ask for in `init`.")
    sut.loadViewIfNeeded()
    #expect(service.calls.count == 1, "Ask the service for the profile in `viewDidLoad`, once, and on the spot.")
  }

  @Test("both labels say \"loading\" until the answer comes")
  func showsLoading() {
    let (sut, _) = makeSUT()

    sut.loadViewIfNeeded()

    #expect(sut.userNameLabel.text == "loading", "There is no answer yet: the user name label should say \"loading\".")
    #expect(sut.addressLabel.text == "loading", "There is no answer yet: the address label should say \"loading\".")
    #expect(sut.errorView.messages.isEmpty, "Nothing has gone wrong yet, so there is nothing to show in the error view.")
  }

  @Test("the answer fills the labels", arguments: [Profile.ada, Profile(userName: "", address: "")])
  func showsProfile(profile: Profile) async {
    let (sut, service) = makeSUT()

    sut.loadViewIfNeeded()
    service.calls.complete(with: .success(profile))
    await mainQueueDrained()

    #expect(sut.userNameLabel.text == profile.userName, "Show the user name as the service delivered it.")
    #expect(sut.addressLabel.text == profile.address, "Show the address as the service delivered it.")
    #expect(sut.errorView.messages.isEmpty, "The profile came: there is no error to show.")
  }

  @Test("an error shows its message and leaves the labels as they were")
  func showsError() async {
    let (sut, service) = makeSUT()

    sut.loadViewIfNeeded()
    service.calls.complete(with: .failure(HTTPClientError.sessionExpired))
    await mainQueueDrained()

    #expect(
      sut.errorView.messages == ["Your session has expired. Please sign in again."],
      "Show the error's `localizedDescription`, once: it is the message made for the user.")
    #expect(sut.userNameLabel.texts == ["loading"], "An error brings no user name: the label should say \"loading\" as before.")
    #expect(sut.addressLabel.texts == ["loading"], "An error brings no address: the label should say \"loading\" as before.")
  }

  @Test("an error of the network's is shown as well")
  func showsNetworkError() async {
    let (sut, service) = makeSUT()

    sut.loadViewIfNeeded()
    service.calls.complete(with: .failure(URLError(.timedOut)))
    await mainQueueDrained()

    #expect(
      sut.errorView.messages == [URLError(.timedOut).localizedDescription],
      "Every error has a `localizedDescription`: show it, whoever made the error.")
    #expect(
      service.calls.count == 1,
      "Ask the service once, when the view has loaded. When it fails, the user decides whether to ask again.")
  }

  @Test("a screen that the user has left is not kept for a slow answer")
  func letsGoOfTheScreen() async {
    let service = ProfileServiceSpy()

    await expectReleased("The completion keeps the controller alive until the service answers. Capture it weakly.") { leaks in
      leaks.track(ProfileViewController(service: service)).loadViewIfNeeded()
    }

    // The answer comes all the same, and must do no harm.
    service.calls.complete(with: .success(.ada))
    await mainQueueDrained()
  }

  private func makeSUT() -> (ProfileViewController, ProfileServiceSpy) {
    let service = ProfileServiceSpy()
    return (ProfileViewController(service: service), service)
  }
}
