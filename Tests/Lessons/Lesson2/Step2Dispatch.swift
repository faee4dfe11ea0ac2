import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 2: dispatch", .oneAtATime)
struct Step2Dispatch {
  @Test("a profile from a background queue is shown on the main queue")
  func showsProfile() async {
    await each("queue", in: BackgroundQueue.allCases) { queue in
      let (sut, service) = makeSUT()

      sut.loadViewIfNeeded()
      await service.calls.complete(with: .success(.ada), on: queue.queue)
      await settled { sut.hasShown(.success(.ada)) }

      #expect(sut.userNameLabel.text == "Ada Lovelace", "The user name label should show the user name. Check the hop.")
      #expect(sut.addressLabel.text == Profile.ada.address, "The address label should show the address. Check the hop.")
      #expect(
        sut.userNameLabel.writesOffMainQueue.isEmpty,
        "The user name label was changed off the main queue. Hop to the main queue before you change a view.")
      #expect(
        sut.addressLabel.writesOffMainQueue.isEmpty,
        "The address label was changed off the main queue. Hop to the main queue before you change a view.")
      #expect(
        sut.errorView.writesOffMainQueue.isEmpty,
        "The error view was changed off the main queue. Hop to the main queue before you change a view.")
    }
  }

  @Test("an error from a background queue is shown on the main queue")
  func showsError() async {
    await each("error", in: Trouble.allCases) { trouble in
      let error = trouble.error
      let (sut, service) = makeSUT()

      sut.loadViewIfNeeded()
      await service.calls.complete(with: .failure(error), on: .background)
      await settled { !sut.errorView.messages.isEmpty }

      #expect(
        sut.errorView.messages == [error.localizedDescription],
        "The error view should show the error's message once. Hop for an error, too, not only for a profile.")
      #expect(
        sut.errorView.writesOffMainQueue.isEmpty,
        "The error view was changed off the main queue. Hop for an error, too, not only for a profile.")
    }
  }

  @Test("a profile from a background queue is shown once")
  func showsOnce() async {
    let (sut, service) = makeSUT()

    sut.loadViewIfNeeded()
    await service.calls.complete(with: .success(.ada), on: .background)
    await settled { sut.hasShown(.success(.ada)) }
    await mainQueueDrained()

    #expect(
      sut.userNameLabel.textsAfterLoading == ["Ada Lovelace"],
      "The user name label should be set once after \"loading\". Show each result once.")
    #expect(
      sut.addressLabel.textsAfterLoading == [Profile.ada.address],
      "The address label should be set once after \"loading\". Show each result once.")
  }

  @Test("the service's queue does not wait for the main queue")
  func doesNotHoldUpTheService() async throws {
    let (sut, service) = makeSUT()

    sut.loadViewIfNeeded()
    try #require(service.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
    let hasReturned = returnsWithoutMainQueue { service.calls.complete(with: .success(.ada)) }
    await settled { sut.hasShown(.success(.ada)) }

    #expect(hasReturned, "The service's queue waits for the main queue. Dispatch with `async`, not with `sync`.")
    #expect(sut.userNameLabel.text == "Ada Lovelace", "The user name label should show the user name. Check the hop.")
  }

  @Test("a background result does no harm after the controller is released")
  func survivesALateResult() async {
    let service = ProfileServiceSpy()

    await expectReleased("The completion retains the controller until the service delivers. Capture `self` weakly.") { leaks in
      leaks.track(ProfileViewController(service: service)).loadViewIfNeeded()
    }

    await service.calls.complete(with: .success(.ada), on: .background)
    await mainQueueDrained()
  }

  @Test("a controller that has shown a background result can be released")
  func isReleasedAfterTheResult() async {
    await each("result", in: [.success(.ada), .failure(HTTPClientError.signedOut)] as [Result<Profile, any Error>]) { result in
      let service = ProfileServiceSpy()

      await expectReleased(
        "The result has been delivered, but the controller is still retained. Look for a stored closure that captures `self` strongly."
      ) { leaks in
        let sut = leaks.track(ProfileViewController(service: service))
        sut.loadViewIfNeeded()
        await service.calls.complete(with: result, on: .background)
        await settled { sut.hasShown(result) }
      }
    }
  }

  private func makeSUT() -> (ProfileViewController, ProfileServiceSpy) {
    let service = ProfileServiceSpy()
    return (ProfileViewController(service: service), service)
  }
}
