import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 2: bridge the old service", .oneAtATime)
struct Step2BridgeTheOldService {
  @Test("the bridge returns the profile, whichever queue the service uses")
  func returnsTheProfile() async throws {
    try await each("queue", in: BackgroundQueue.allCases) { queue in
      let service = ProfileServiceSpy()
      let sut = ProfileServiceBridge(service: service)

      let call = Running { try await sut.profile() }
      await service.calls.receives(1)
      await service.calls.complete(with: .success(.ada), on: queue.queue)

      let profile = try await call.outcome(notResumed).expectSuccess(
        "The service delivered a profile, so the bridge should return it.")
      #expect(profile == .ada, "The bridge should return the service's profile unchanged.")
      #expect(service.calls.count == 1, "The service should be called once for each call to the bridge.")
    }
  }

  @Test("the bridge throws the service's error unchanged")
  func throwsTheError() async throws {
    try await each("error", in: Trouble.notCanceled) { trouble in
      let service = ProfileServiceSpy()
      let sut = ProfileServiceBridge(service: service)

      let call = Running { try await sut.profile() }
      await service.calls.receives(1)
      await service.calls.complete(with: .failure(trouble.error), on: .background)

      let error = try await call.outcome(notResumed).failure
      #expect(error?.isSame(as: trouble.error) == true, "The bridge should throw the service's error unchanged.")
    }
  }

  @Test("a service may deliver its result synchronously")
  func resumesSynchronously() async throws {
    let found = ProfileServiceBridge(service: ProfileServiceSpy(responding: { .success(.grace) }))
    let lost = ProfileServiceBridge(service: ProfileServiceSpy(responding: { .failure(HTTPClientError.signedOut) }))

    let profile = try await Running { try await found.profile() }.outcome(notResumed).expectSuccess(
      "The service delivered a profile before `getProfile` returned. The bridge should return it.")
    #expect(profile == .grace, "The bridge should return the service's profile unchanged.")
    try await Running { try await lost.profile() }.outcome(notResumed).expectFailure(
      HTTPClientError.signedOut, "The service delivered an error before `getProfile` returned. The bridge should throw it.")
  }

  @Test("each of two overlapping calls gets its own result")
  func keepsCallsApart() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileServiceBridge(service: service)

    let first = Running { try await sut.profile() }
    await service.calls.receives(1)
    let second = Running { try await sut.profile() }
    await service.calls.receives(2)
    service.calls.complete(1, with: .success(.ada))
    service.calls.complete(0, with: .success(.grace))

    let one = try await first.outcome(notResumed).expectSuccess("The first call should return its profile.")
    let two = try await second.outcome(notResumed).expectSuccess("The second call should return its profile.")
    #expect(one == .grace, "The first call should return its own profile, even if the second ends earlier.")
    #expect(two == .ada, "The second call should return its own profile.")
  }

  @Test("a canceled call ends once and does not affect other calls")
  func survivesACancellation() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileServiceBridge(service: service)
    let queue = OneQueue()

    let canceled = Running(on: queue) { try await sut.profile() }
    await service.calls.receives(1)
    let other = Running(on: queue) { try await sut.profile() }
    await service.calls.receives(2)
    canceled.cancel()
    await queue.settled()
    service.calls.complete(0, with: .success(.ada))
    service.calls.complete(1, with: .success(.grace))

    let outcome = try await canceled.outcome(
      "A canceled call should end: immediately with an error, or with the service's result.")
    let profile = try await other.outcome(notResumed).expectSuccess(
      "Only the first call was canceled. The second should succeed.")
    #expect(
      outcome.failure != nil || (try? outcome.get()) == .ada,
      "A canceled call should throw an error or return the service's profile.")
    #expect(profile == .grace, "Only the first call was canceled. The second should return its own profile.")
  }

  @Test("unchanged: a call from a canceled task ends")
  func endsInACanceledTask() async throws {
    let sut = ProfileServiceBridge(service: ProfileServiceSpy(responding: { .success(.grace) }))

    let call = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.profile()
    }

    let outcome = try await call.outcome(
      "The task was canceled before it called the bridge, and the call never ended. Resume the continuation even then.")
    #expect(
      outcome.failure != nil || (try? outcome.get()) == .grace,
      "A call from a canceled task should throw an error or return the service's profile.")
  }

  private let notResumed: Comment =
    "The service delivered a result, but the bridge didn't return. Resume the continuation with every result, errors included."
}
