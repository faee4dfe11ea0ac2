import Given
import TestSupport
import Testing

@testable import Exercise2

@MainActor
@Suite("Step 3: hop only if needed", .oneAtATime)
struct Step3HopOnlyIfNeeded {
  @Test("an immediate profile is shown before `viewDidLoad` returns")
  func showsImmediateProfile() async {
    let sut = ProfileViewController(service: ProfileServiceSpy(responding: { .success(.ada) }))

    sut.loadViewIfNeeded()

    #expect(
      sut.userNameLabel.textsAfterLoading == ["Ada Lovelace"],
      "The result arrived on the main queue, so the user name should be on screen now. Show it without a hop.")
    #expect(
      sut.addressLabel.textsAfterLoading == [Profile.ada.address],
      "The result arrived on the main queue, so the address should be on screen now. Show it without a hop.")
    await mainQueueDrained()
    for label in [sut.userNameLabel, sut.addressLabel] {
      #expect(
        label.textsAfterLoading.count <= 1,
        "The label was set more than once after \"loading\". Show each result once: either immediately or after a hop.")
    }
  }

  @Test("an immediate error is shown before `viewDidLoad` returns")
  func showsImmediateError() async {
    await each("error", in: Trouble.allCases) { trouble in
      let error = trouble.error
      let sut = ProfileViewController(service: ProfileServiceSpy(responding: { .failure(error) }))

      sut.loadViewIfNeeded()

      #expect(
        sut.errorView.messages == [error.localizedDescription],
        "The error arrived on the main queue, so its message should be on screen now. Show it without a hop.")
      await mainQueueDrained()
      #expect(
        sut.errorView.messages.count <= 1,
        "The error view has shown more than one message. Show each result once: either immediately or after a hop.")
    }
  }

  @Test("after `viewDidLoad`, a profile from the main queue is shown synchronously")
  func showsLaterProfile() {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    service.calls.complete(with: .success(.ada))

    #expect(
      sut.userNameLabel.textsAfterLoading == ["Ada Lovelace"],
      "The result arrived on the main queue, so the user name should be on screen now. Show it without a hop.")
    #expect(
      sut.addressLabel.textsAfterLoading == [Profile.ada.address],
      "The result arrived on the main queue, so the address should be on screen now. Show it without a hop.")
  }

  @Test("after `viewDidLoad`, an error from the main queue is shown synchronously")
  func showsLaterError() {
    let service = ProfileServiceSpy()
    let sut = ProfileViewController(service: service)

    sut.loadViewIfNeeded()
    service.calls.complete(with: .failure(URLError(.cancelled)))

    #expect(
      sut.errorView.messages == [URLError(.cancelled).localizedDescription],
      "The error arrived on the main queue, so its message should be on screen now. Show it without a hop.")
  }

  @Test("the profile screen hops for a profile delivered inside `queue.sync`")
  func showsProfileOfQueueService() async throws {
    // `main.sync` would deadlock in `QueueService` and end the process. This call detects it without a deadlock.
    let spy = ProfileServiceSpy()
    let other = ProfileViewController(service: spy)
    other.loadViewIfNeeded()
    try #require(spy.calls.count == 1, "Loading the view should call the service once. Call it in `viewDidLoad`.")
    let hasReturned = returnsWithoutMainQueue { spy.calls.complete(with: .success(.ada)) }
    await mainQueueDrained()
    try #require(hasReturned, "The service's queue waits for the main queue. Dispatch with `async`, not with `sync`.")

    let sut = ProfileViewController(service: QueueService())
    sut.loadViewIfNeeded()
    await settled { sut.userNameLabel.text == "Ada Lovelace" }

    #expect(
      sut.userNameLabel.textsAfterLoading == ["Ada Lovelace"],
      "The user name label should be set once after \"loading\". Check the hop.")
    #expect(
      sut.userNameLabel.writesOffMainQueue.isEmpty,
      "The user name label was changed inside another queue's block. Check the current queue when the result arrives.")
  }
}
