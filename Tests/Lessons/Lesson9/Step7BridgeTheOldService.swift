import Given
import TestSupport
import Testing

import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise9

@Suite("Step 7: bridge the old service (extra)", .oneAtATime)
struct Step7BridgeTheOldService {
  @Test("each call gets its own profile, whichever queue the service uses")
  func returnsTheProfile() async throws {
    let queues = ["concurrent": DispatchQueue.global(), "serial": .newBackgroundQueue]
    try await each("queue", in: queues.keys.sorted()) { name in
      let service = ProfileServiceSpy()
      let sut = ProfileServiceBridge(service: service)

      let first = Running { try await sut.profile() }
      await service.calls.receives(1)
      let second = Running { try await sut.profile() }
      await service.calls.receives(2)
      await service.calls.complete(1, with: .success(.grace), on: queues[name]!)
      await service.calls.complete(0, with: .success(.ada), on: queues[name]!)

      let one = try await first.outcome(notResumed).expectSuccess("The service delivered a profile. Return it.")
      let two = try await second.outcome(notResumed).expectSuccess("The service delivered a profile. Return it.")
      #expect([one, two] == [.ada, .grace], "Each of two overlapping calls should return its own profile.")
      #expect(service.calls.count == 2, "The service should be called once for each call to the bridge.")
    }
  }

  @Test("the service's error is thrown")
  func throwsTheError() async throws {
    try await each("error", in: SampleError.notCanceled) { trouble in
      let service = ProfileServiceSpy(responding: { .failure(trouble.error) })
      let sut = ProfileServiceBridge(service: service)

      let error = try await Running { try await sut.profile() }.outcome(notResumed).failure

      #expect(error?.isSame(as: trouble.error) == true, "The service failed before `getProfile` returned. Throw its error.")
      #expect(service.calls.count == 1, "The service should be called once for each call to the bridge, even if it fails.")
    }
  }

  @Test("a canceled call ends exactly once, and other calls go on")
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
    // What ends immediately may do so in another task.
    for _ in 0..<20 where !canceled.hasEnded { await Task.detached(priority: .background) {}.value }
    let isLate = !canceled.hasEnded
    service.calls.complete(0, with: .success(.ada))
    service.calls.complete(1, with: .success(.grace))

    let outcome = try await canceled.outcome("A canceled call should end, immediately or with the service's result.")
    let profile = try await other.outcome(notResumed).expectSuccess(
      "Only the first call was canceled. The second should succeed.")
    #expect(
      outcome.failure != nil || (try? outcome.get()) == .ada, "A canceled call should throw an error or return its profile.")
    #expect(
      !isLate || outcome.failure == nil,
      "The canceled call waited for the service, which then delivered a profile. Return it, or else end immediately.")
    #expect(profile == .grace, "Only the first call was canceled. The second should return its own profile.")
  }

  @Test("unchanged: a call from a canceled task does not wait forever")
  func endsInACanceledTask() async throws {
    let sut = ProfileServiceBridge(service: ProfileServiceSpy(responding: { .success(.grace) }))

    let call = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut.profile()
    }

    _ = try await call.outcome("The task was canceled before it called the bridge. Resume the continuation even then.")
  }

  private let notResumed: Comment =
    "The service delivered a result, but the bridge didn't return. Give each call a continuation of its own, and resume it with any result, even an error."
}

extension Profile {
  fileprivate static let grace = Profile(userName: "Grace Hopper", address: "Arlington, Virginia")
}
