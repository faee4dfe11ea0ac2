import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 1: show and dispatch", .oneAtATime)
struct Step1ShowAndDispatch {
  @Test("the service is called once, in `viewDidLoad`")
  func callsTheServiceOnce() throws {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    #expect(service.calls.count == 0, "The service was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    try loadView(of: sut) { ProfileViewController(service: ProfileServiceSpy()) }
    #expect(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
  }

  @Test("both labels show `loading` until the result arrives")
  func showsLoading() async {
    let sut = ProfileViewController(service: ProfileServiceSpy())

    sut.loadViewIfNeeded()
    await settled { sut.userNameLabel.text == "loading" && sut.addressLabel.text == "loading" }

    #expect(
      Set(sut.userNameLabel.texts) == ["loading"] && Set(sut.addressLabel.texts) == ["loading"],
      "Until the result arrives, both labels should show only \"loading\".")
    #expect(sut.errorView.messages.isEmpty, "Until the result arrives, there is no error to show.")
  }

  @Test("a profile from a background queue is shown on the main queue")
  func showsProfile() async {
    await each("profile", in: [Profile.ada, Profile(userName: "", address: "")]) { profile in
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: service)
      sut.loadViewIfNeeded()

      await service.calls.complete(with: .success(profile), on: .newBackgroundQueue)
      await settled { sut.userNameLabel.text == profile.userName && sut.addressLabel.text == profile.address }

      #expect(
        sut.userNameLabel.results == [profile.userName],
        "If the service delivers a profile, show its user name once, unchanged, even if it is empty.")
      #expect(
        sut.addressLabel.results == [profile.address],
        "If the service delivers a profile, show its address once, unchanged, even if it is empty.")
      #expect(
        sut.writesOffMainQueue.isEmpty,
        "A label was changed on the service's queue. Change each label on the main queue, wherever the profile arrives.")
    }
  }

  @Test("an error from a background queue is shown on the main queue")
  func showsError() async {
    await each("error", in: SampleError.allCases) { sample in
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: service)
      sut.loadViewIfNeeded()

      await service.calls.complete(with: .failure(sample.error), on: .newBackgroundQueue)
      await settled { sut.errorView.message != nil }

      #expect(
        sut.errorView.messages == [sample.error.localizedDescription],
        "If the service delivers an error, show its `localizedDescription` once, whatever the error.")
      #expect(sut.errorView.message != nil, "After an error, the error view stays visible.")
      #expect(
        sut.userNameLabel.results.isEmpty && sut.addressLabel.results.isEmpty,
        "If the service delivers an error, leave the labels alone."
      )
      #expect(service.calls.count == 1, "An error does not start a second load.")
      #expect(
        sut.writesOffMainQueue.isEmpty,
        "A view was changed on the service's queue. Change the error view on the main queue, too, wherever the error arrives.")
    }
  }

  @Test("the background queue does not wait for the main queue")
  func doesNotHoldUpTheService() async throws {
    try await each("result", in: [Result<Profile, any Error>.success(.ada), .failure(SampleError.explained.error)]) { result in
      let service = ProfileServiceSpy()
      let sut = ProfileViewController(service: service)
      let isShown = { result.failure == nil ? sut.userNameLabel.text == "Ada Lovelace" : sut.errorView.message != nil }

      sut.loadViewIfNeeded()
      try #require(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
      let hasReturned = returnsWithoutMainQueue { service.calls.complete(with: result) }
      await settled { isShown() }

      #expect(hasReturned, "The service's queue should not wait for the main queue. Use `async`, not `sync`.")
      #expect(isShown(), "The result should be shown as soon as the main queue is free. Use `async`, without a delay.")
    }
  }

  @Test("a screen is released when the user leaves it")
  func isReleased() async {
    let service = ProfileServiceSpy()
    let remark: Comment =
      "The user has left, and the service may be slow. The completion that it stores should not retain the controller."
    await expectReleased(remark) { leaks in
      let sut = leaks.track(ProfileViewController(service: service))
      sut.loadViewIfNeeded()
      #expect(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
    }

    await service.calls.complete(with: .success(.ada), on: .newBackgroundQueue)

    await expectReleased("The screen has shown its profile, and the user has left. Which closure still retains the controller?") {
      leaks in
      let sut = leaks.track(ProfileViewController(service: service))
      sut.loadViewIfNeeded()
      await service.calls.complete(1, with: .success(.ada), on: .newBackgroundQueue)
      await settled { sut.userNameLabel.text == "Ada Lovelace" }
    }
  }
}
