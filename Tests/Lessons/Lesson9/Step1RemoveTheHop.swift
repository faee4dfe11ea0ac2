import Given
import TestSupport
import Testing

@testable import Exercise9

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1RemoveTheHop().showsTheProfile() } }
}

@MainActor
@Suite("Step 1: remove the hop", .oneAtATime)
struct Step1RemoveTheHop {
  @Test("a load shows the indicator, then the profile")
  func showsTheProfile() async throws {
    let (sut, service) = makeSUT()
    #expect(!sut.isLoading, "No load has started, so `isLoading` should be false.")
    #expect(sut.profile == nil, "No load has started, so `profile` should be nil.")
    #expect(service.calls.count == 0, "The service was called in `init`. Call it in `load`.")

    let load = Running { await sut.load() }
    await service.calls.receives(1)
    #expect(sut.isLoading, "During a load, `isLoading` should be true. Set it before you call the service.")
    service.calls.complete(with: .success(.ada))
    _ = try await load.outcome()

    #expect(sut.profile == .ada, "After a successful load, `profile` should be the service's result.")
    #expect(!sut.isLoading, "After a load, `isLoading` should be false.")
    #expect(sut.message == nil, "After a successful load, `message` should be nil.")
    #expect(service.calls.count == 1, "The service should be called once per load.")
  }

  @Test("a failed load shows the error's message until a load succeeds")
  func showsTheError() async throws {
    try await each("error", in: Trouble.notCanceled) { trouble in
      let (sut, service) = makeSUT()

      try await load(sut, service, 0, .success(.ada))
      try await load(sut, service, 1, .failure(trouble.error))
      #expect(
        sut.message == trouble.error.localizedDescription,
        "After a failed load, `message` should be the error's `localizedDescription`.")
      #expect(!sut.isLoading, "After a failed load, `isLoading` should be false.")
      try await load(sut, service, 2, .success(.grace))

      #expect(sut.profile == .grace, "After a failed load, the next successful one should show its profile.")
      #expect(sut.message == nil, "After a successful load, `message` should be nil: remove the older error.")
    }
  }

  @Test("a canceled load shows neither a profile nor a message")
  func showsNothingWhenCanceled() async throws {
    try await each("canceled call", in: CanceledCall.allCases) { call in
      let service = AsyncProfileServiceSpy()
      let sut = ProfileViewModel(service: CanceledService(decoratee: service, call: call))

      try await load(sut, service, 0, .success(.grace))
      let load = Running { await sut.load() }
      await service.calls.receives(2)
      load.cancel()
      _ = try await load.outcome(
        "The load's task was canceled, but the load didn't end. Call the service in the task that called `load`.")

      #expect(service.calls.cancelled == [1], "The cancellation should reach the service, which can then stop its work.")
      #expect(sut.message == nil, "A canceled load should show no message, even if the service throws.")
      #expect(sut.profile == .grace, "A canceled load should leave the profile unchanged, even if the service returns another.")
      #expect(!sut.isLoading, "After a canceled load, `isLoading` should be false.")
    }
  }

  @Test("a replaced load shows nothing and leaves the indicator on")
  func replacedLoadShowsNothing() async throws {
    try await each("replaced load", in: ReplacedLoad.allCases, "canceled call", in: CanceledCall.allCases) { replaced, call in
      let service = AsyncProfileServiceSpy()
      let sut = ProfileViewModel(service: CanceledService(decoratee: service, call: call))

      let older = Running { await sut.load() }
      await service.calls.receives(1)
      let newer = Running { await sut.load() }
      await service.calls.receives(2)
      service.calls.complete(0, with: replaced.result)
      _ = try await older.outcome()

      #expect(sut.profile == nil, "A load that a newer one has replaced should not show its profile.")
      #expect(sut.message == nil, "A load that a newer one has replaced should not show its error.")
      #expect(sut.isLoading, "The newer load is still in flight, so `isLoading` should be true after the older one has ended.")
      service.calls.complete(1, with: .success(.grace))
      _ = try await newer.outcome()
      #expect(sut.profile == .grace, "The newest load should show its profile.")
      #expect(!sut.isLoading, "After the newest load, `isLoading` should be false.")
    }
  }

  @Test("a replaced load shows nothing after the newest has ended")
  func replacedLoadEndsLast() async throws {
    try await each("replaced load", in: ReplacedLoad.allCases, "newest load", in: NewestLoad.allCases) { replaced, newest in
      let (sut, service) = makeSUT()

      var loads: [Running<Void>] = []
      for count in 1...3 {
        loads.append(Running { await sut.load() })
        await service.calls.receives(count)
      }
      switch newest {
      case .succeeds: service.calls.complete(2, with: .success(.grace))
      case .fails: service.calls.complete(2, with: .failure(HTTPClientError.sessionExpired))
      case .isCanceled: loads[2].cancel()
      }
      _ = try await loads[2].outcome()
      #expect(!sut.isLoading, "After the newest load, `isLoading` should be false, even if older loads are in flight.")
      let (profile, message) = (sut.profile, sut.message)
      for index in [0, 1] {
        service.calls.complete(index, with: replaced.result)
        _ = try await loads[index].outcome()
      }

      #expect(sut.profile == profile, "A replaced load that ends after the newest one should not change the profile.")
      #expect(sut.message == message, "A replaced load that ends after the newest one should not change the message.")
      #expect(!sut.isLoading, "A replaced load that ends after the newest one should leave `isLoading` false.")
    }
  }

  @Test("canceling a replaced load leaves the indicator on")
  func replacedLoadIsCanceled() async throws {
    let (sut, service) = makeSUT()

    let older = Running { await sut.load() }
    await service.calls.receives(1)
    let newer = Running { await sut.load() }
    await service.calls.receives(2)
    older.cancel()
    _ = try await older.outcome(
      "The older load's task was canceled, but the load didn't end. Call the service in the task that called `load`.")

    #expect(sut.isLoading, "Only the older load was canceled, so `isLoading` should be true during the newer one.")
    service.calls.complete(1, with: .success(.ada))
    _ = try await newer.outcome()
    #expect(sut.profile == .ada, "The newer load wasn't canceled, so it should show its profile.")
    #expect(!sut.isLoading, "After the newest load, `isLoading` should be false.")
  }

  @Test("the view model is released after its loads")
  func isReleased() async throws {
    let service = AsyncProfileServiceSpy()

    try await expectReleased("The view model should be released with its screen. Check what your tasks and closures retain.") {
      leaks in
      let sut = leaks.track(ProfileViewModel(service: service))
      try await load(sut, service, 0, .success(.ada))
      try await load(sut, service, 1, .failure(HTTPClientError.signedOut))
      let canceled = Running { await sut.load() }
      await service.calls.receives(3)
      canceled.cancel()
      _ = try await canceled.outcome()
    }
  }

  private func makeSUT() -> (ProfileViewModel, AsyncProfileServiceSpy) {
    let service = AsyncProfileServiceSpy()
    return (ProfileViewModel(service: service), service)
  }

  /// Runs one load from its start to its end.
  private func load(
    _ sut: ProfileViewModel, _ service: AsyncProfileServiceSpy, _ index: Int, _ result: Result<Profile, any Error>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let load = Running { await sut.load() }
    await service.calls.receives(index + 1)
    service.calls.complete(index, with: result, sourceLocation: sourceLocation)
    _ = try await load.outcome(sourceLocation: sourceLocation)
  }
}

/// How a profile service ends a call whose task is canceled.
enum CanceledCall: CaseIterable {
  case withACancellationError
  case withAnErrorOfItsOwn
  case withAProfile
}

/// Ends canceled calls in one of these ways.
private struct CanceledService: AsyncProfileService {
  let decoratee: any AsyncProfileService
  let call: CanceledCall

  func profile() async throws -> Profile {
    do {
      return try await decoratee.profile()
    } catch let error as CancellationError {
      switch call {
      case .withACancellationError: throw error
      case .withAnErrorOfItsOwn: throw URLError(.cancelled)
      case .withAProfile: return .ada
      }
    }
  }
}

/// How a load ends that a newer one has replaced.
enum ReplacedLoad: CaseIterable {
  case succeeds
  case fails

  var result: Result<Profile, any Error> {
    self == .succeeds ? .success(.ada) : .failure(HTTPClientError.signedOut)
  }
}

/// How the newest of several loads ends.
enum NewestLoad: CaseIterable {
  case succeeds
  case fails
  case isCanceled
}
