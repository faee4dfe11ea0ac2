import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 2: dispatch", .patientOnce)
struct Step2Dispatch {
  @Test("a profile from a background queue is written on the main queue", arguments: BackgroundQueue.allCases)
  func showsProfile(queue: BackgroundQueue) async {
    let sut = await makeSUT(answering: .success(.ada), on: queue)

    #expect(sut.userNameLabel.text == "Ada Lovelace", "The user name never reached the screen.")
    #expect(sut.addressLabel.text == "12 St James's Square, London", "The address never reached the screen.")
    #expect(
      sut.userNameLabel.writesOffMainQueue.isEmpty,
      "The service answered on a background queue, and the user name label was written there.")
    #expect(
      sut.addressLabel.writesOffMainQueue.isEmpty,
      "The service answered on a background queue, and the address label was written there.")
    #expect(
      sut.errorView.writesOffMainQueue.isEmpty,
      "The service answered on a background queue, and the error view was written there.")
  }

  @Test("an error from a background queue is shown on the main queue", arguments: BackgroundQueue.allCases)
  func showsError(queue: BackgroundQueue) async {
    let sut = await makeSUT(answering: .failure(HTTPClientError.signedOut), on: queue)

    #expect(sut.errorView.messages == ["Please sign in."], "The error's message never reached the screen, or more than once.")
    #expect(
      sut.errorView.writesOffMainQueue.isEmpty,
      "The service failed on a background queue, and the error view was written there: an error has to hop as well.")
  }

  @Test("each answer is written once")
  func writesOnce() async {
    let sut = await makeSUT(answering: .success(.ada), on: .concurrent)

    #expect(
      sut.userNameLabel.texts == ["loading", "Ada Lovelace"],
      "The user name label should be written to exactly twice: \"loading\" first, then the name.")
    #expect(
      sut.addressLabel.texts == ["loading", "12 St James's Square, London"],
      "The address label should be written to exactly twice: \"loading\" first, then the address.")
  }

  @Test("an answer from a background queue does no harm when the user has left the screen")
  func survivesALateAnswer() async {
    let service = ProfileServiceSpy()

    await expectReleased("The completion keeps the controller alive until the service answers. Capture it weakly.") { leaks in
      leaks.track(ProfileViewController(service: service)).loadViewIfNeeded()
    }

    await service.calls.complete(with: .success(.ada), on: .global())
    await mainQueueDrained()
  }

  /// A controller whose service has answered on the given queue.
  private func makeSUT(
    answering result: Result<Profile, any Error>, on queue: BackgroundQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ProfileViewController {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    await service.calls.complete(with: result, on: queue.queue, sourceLocation: sourceLocation)
    await mainQueueDrained()
    return sut
  }
}
