import Given
import TestSupport
import Testing

@testable import Exercise2

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1Show().callsTheServiceOnce() } }
}

@MainActor
@Suite("Step 1: show", .oneAtATime)
struct Step1Show {
  @Test("the service is called once, when the view loads")
  func callsTheServiceOnce() {
    let (sut, service) = makeSUT()

    #expect(service.calls.count == 0, "The service was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    sut.loadViewIfNeeded()
    #expect(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
  }

  @Test("both labels show `loading` until the result arrives")
  func showsLoading() {
    let (sut, _) = makeSUT()

    sut.loadViewIfNeeded()

    #expect(
      sut.userNameLabel.text == "loading",
      "Until the result arrives, the user name label should show \"loading\". Set it before you call the service.")
    #expect(
      sut.addressLabel.text == "loading",
      "Until the result arrives, the address label should show \"loading\". Set it before you call the service.")
    #expect(sut.errorView.messages.isEmpty, "Nothing has failed yet, so the error view should show no message.")
  }

  @Test("the labels show the profile's user name and address")
  func showsProfile() async {
    await each("profile", in: [Profile.ada, Profile(userName: "", address: "")]) { profile in
      let (sut, service) = makeSUT()

      sut.loadViewIfNeeded()
      service.calls.complete(with: .success(profile))
      await settled { sut.userNameLabel.text == profile.userName && sut.addressLabel.text == profile.address }

      #expect(sut.userNameLabel.text == profile.userName, "The user name label should show the profile's user name, unchanged.")
      #expect(sut.addressLabel.text == profile.address, "The address label should show the profile's address, unchanged.")
      #expect(sut.errorView.messages.isEmpty, "The service delivered a profile, so the error view should show no message.")
    }
  }

  @Test("the error view shows an error's message, and the labels stay unchanged")
  func showsError() async {
    await each("error", in: Trouble.allCases) { trouble in
      let error = trouble.error
      let (sut, service) = makeSUT()

      sut.loadViewIfNeeded()
      service.calls.complete(with: .failure(error))
      await settled { !sut.errorView.messages.isEmpty }

      #expect(
        sut.errorView.messages == [error.localizedDescription],
        "The error view should show the error's `localizedDescription` once, for any kind of error.")
      #expect(
        sut.userNameLabel.textsAfterLoading.isEmpty,
        "After an error, the user name label should still show \"loading\". Do not write to it.")
      #expect(
        sut.addressLabel.textsAfterLoading.isEmpty,
        "After an error, the address label should still show \"loading\". Do not write to it.")
      #expect(service.calls.count == 1, "An error should not start another load. Call the service once, in `viewDidLoad`.")
    }
  }

  @Test("two screens that share a service each show their own profile")
  func keepsScreensApart() async {
    let service = ProfileServiceSpy()
    let (first, second) = (ProfileViewController(service: service), ProfileViewController(service: service))
    let grace = Profile(userName: "Grace Hopper", address: "Arlington")

    first.loadViewIfNeeded()
    second.loadViewIfNeeded()
    service.calls.complete(1, with: .success(grace))
    service.calls.complete(0, with: .success(.ada))
    await settled { first.userNameLabel.text == "Ada Lovelace" && second.userNameLabel.text == "Grace Hopper" }

    #expect(first.userNameLabel.text == "Ada Lovelace", "Each screen should show its own result. Share no state between screens.")
    #expect(
      second.userNameLabel.text == "Grace Hopper", "Each screen should show its own result. Share no state between screens.")
  }

  @Test("the controller can be released while the service is still working")
  func isReleasedBeforeTheResult() async {
    let service = ProfileServiceSpy()

    await expectReleased("The completion retains the controller until the service delivers. Capture `self` weakly.") { leaks in
      leaks.track(ProfileViewController(service: service)).loadViewIfNeeded()
    }

    // A result for a controller that is gone must do no harm.
    service.calls.complete(with: .success(.ada))
    await mainQueueDrained()
  }

  @Test("a controller that has shown its result can be released")
  func isReleasedAfterTheResult() async {
    await each("result", in: [.success(.ada), .failure(HTTPClientError.signedOut)] as [Result<Profile, any Error>]) { result in
      let service = ProfileServiceSpy()

      await expectReleased(
        "The result has been delivered, but the controller is still retained. Look for a stored closure that captures `self` strongly."
      ) { leaks in
        let sut = leaks.track(ProfileViewController(service: service))
        sut.loadViewIfNeeded()
        service.calls.complete(with: result)
        await settled { sut.hasShown(result) }
      }
    }
  }

  private func makeSUT() -> (ProfileViewController, ProfileServiceSpy) {
    let service = ProfileServiceSpy()
    return (ProfileViewController(service: service), service)
  }
}
