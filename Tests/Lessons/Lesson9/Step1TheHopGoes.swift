import Given
import TestSupport
import Testing

@testable import Exercise9

@MainActor
@Suite("Step 1: the hop goes", .patientOnce)
struct Step1TheHopGoes {
  @Test("the indicator turns while the profile is loaded, and then the profile is shown")
  func showsTheProfile() async throws {
    let (sut, service) = makeSUT()
    #expect(!sut.isLoading, "Nothing has been loaded yet: the indicator must not turn.")
    #expect(sut.profile == nil, "Nothing has been loaded yet: there is no profile to show.")
    #expect(service.calls.count == 0, "Call the service in `load`, and not in `init`.")

    let load = Running { await sut.load() }
    await service.calls.receives(1)
    #expect(sut.isLoading, "The load is under way: the indicator has to turn.")
    service.calls.complete(with: .success(.ada))
    _ = try await load.outcome()

    #expect(sut.profile == .ada, "The profile has come: show it.")
    #expect(!sut.isLoading, "The load has ended: the indicator has to stop.")
    #expect(sut.message == nil, "Nothing went wrong.")
    #expect(service.calls.count == 1, "One load is one call of the service.")
  }

  @Test("an error shows its message, leaves the profile, and goes with the next profile")
  func showsTheError() async throws {
    let (sut, service) = makeSUT()

    try await load(sut, service, 0, .success(.ada))
    try await load(sut, service, 1, .failure(HTTPClientError.sessionExpired))
    #expect(sut.message == "Your session has expired. Please sign in again.", "Show the error's message.")
    #expect(sut.profile == .ada, "An error brings no profile: leave the one that is there.")
    #expect(!sut.isLoading, "The load has ended: the indicator has to stop.")
    try await load(sut, service, 2, .success(.grace))

    #expect(sut.profile == .grace, "The next load has worked: show its profile.")
    #expect(sut.message == nil, "The next load has worked: remove the message.")
  }

  @Test("a cancelled load shows nothing, however the service ends it, and its indicator stops", arguments: Cancelled.allCases)
  func showsNothingWhenCancelled(cancelled: Cancelled) async throws {
    let service = AsyncProfileServiceSpy()
    let sut = ProfileViewModel(service: CancelledService(decoratee: service, cancelled: cancelled))

    try await load(sut, service, 0, .success(.grace))
    let load = Running { await sut.load() }
    await service.calls.receives(2)
    load.cancel()
    _ = try await load.outcome(
      "The task was cancelled, and still waits: call the service in the task of the caller, and in no other.")

    #expect(service.calls.cancelled == [1], "The cancellation has to reach the service: it may save the work.")
    #expect(sut.message == nil, "The user has gone: there is nobody to show an error to, whatever error the service ends with.")
    #expect(sut.profile == .grace, "A cancelled load shows nothing: what was shown before stays.")
    #expect(!sut.isLoading, "The load has ended, if only by a cancellation: the indicator has to stop.")
  }

  @Test(
    "while a newer load is under way, the older one neither shows its answer nor stops the indicator",
    arguments: OlderLoad.allCases)
  func olderLoadEndsSilently(olderLoad: OlderLoad) async throws {
    let (sut, service) = makeSUT()

    let older = Running { await sut.load() }
    await service.calls.receives(1)
    let newer = Running { await sut.load() }
    await service.calls.receives(2)
    service.calls.complete(0, with: olderLoad == .succeeds ? .success(.ada) : .failure(HTTPClientError.signedOut))
    _ = try await older.outcome()

    #expect(sut.profile == nil, "The older load ended while a newer one was under way: do not show its profile.")
    #expect(sut.message == nil, "The older load ended while a newer one was under way: do not show its error.")
    #expect(sut.isLoading, "The newer load is still under way: the end of the older one must not stop its indicator.")
    service.calls.complete(1, with: .success(.grace))
    _ = try await newer.outcome()
    #expect(sut.profile == .grace, "The newer load has ended: show its profile.")
    #expect(!sut.isLoading, "The newer load has ended: stop the indicator.")
  }

  @Test("an older answer that comes after the newer one is not shown", arguments: OlderLoad.allCases)
  func olderAnswerComesLate(olderLoad: OlderLoad) async throws {
    let (sut, service) = makeSUT()

    let older = Running { await sut.load() }
    await service.calls.receives(1)
    let newer = Running { await sut.load() }
    await service.calls.receives(2)
    service.calls.complete(1, with: .success(.grace))
    _ = try await newer.outcome()
    #expect(sut.profile == .grace, "The newest load has ended: show its profile.")
    #expect(!sut.isLoading, "The newest load has ended: stop the indicator.")
    service.calls.complete(0, with: olderLoad == .succeeds ? .success(.ada) : .failure(HTTPClientError.signedOut))
    _ = try await older.outcome()

    #expect(sut.profile == .grace, "The older load ended last, and the newer profile is already shown: leave it there.")
    #expect(sut.message == nil, "The older load ended last, and the newer profile is already shown: do not show an error.")
  }

  @Test("a cancelled older load does not stop the newer one's indicator")
  func cancelledOlderLoad() async throws {
    let (sut, service) = makeSUT()

    let older = Running { await sut.load() }
    await service.calls.receives(1)
    let newer = Running { await sut.load() }
    await service.calls.receives(2)
    older.cancel()
    _ = try await older.outcome(
      "The task was cancelled, and still waits: call the service in the task of the caller, and in no other.")

    #expect(sut.isLoading, "Only the older load was cancelled. The newer one is still under way.")
    service.calls.complete(1, with: .success(.ada))
    _ = try await newer.outcome()
    #expect(sut.profile == .ada, "The newer load has ended: show its profile.")
    #expect(!sut.isLoading, "The newer load has ended: stop the indicator.")
  }

  @Test("the bridge returns the profile of a service with completions", arguments: BackgroundQueue.allCases)
  func bridgesTheProfile(queue: BackgroundQueue) async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileServiceBridge(service: service)

    let call = Running { try await sut.profile() }
    await service.calls.receives(1)
    await service.calls.complete(with: .success(.ada), on: queue.queue)

    let profile = try await call.outcome(
      "The service has answered, and the call still waits: ask once, and resume with that answer."
    )
    .expectSuccess("The service has delivered the profile.")
    #expect(profile == .ada, "The bridge returns what the service delivers.")
    #expect(service.calls.count == 1, "One call of the bridge is one call of the service.")
  }

  @Test("the bridge throws the error of a service with completions")
  func bridgesTheError() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileServiceBridge(service: service)

    let call = Running { try await sut.profile() }
    await service.calls.receives(1)
    await service.calls.complete(with: .failure(HTTPClientError.signedOut), on: .global())

    try await call.outcome("The service has failed, and the call still waits: an error is an answer, resume with it.")
      .expectFailure(HTTPClientError.signedOut, "The bridge throws what the service delivers.")
  }

  @Test("the bridge takes an answer that is there at once, and keeps calls apart")
  func bridgesSeveralCalls() async throws {
    let service = ProfileServiceSpy()
    let sut = ProfileServiceBridge(service: service)

    let immediate = try await Running { try await ProfileServiceBridge(service: ImmediateService()).profile() }.outcome()
    let first = Running { try await sut.profile() }
    await service.calls.receives(1)
    let second = Running { try await sut.profile() }
    await service.calls.receives(2)
    service.calls.complete(1, with: .success(.ada))
    service.calls.complete(0, with: .success(.grace))

    let profile = try immediate.expectSuccess("A service may call its completion before its function returns.")
    #expect(profile == .grace, "The bridge returns what the service delivers, at once or later.")
    let one = try await first.outcome().expectSuccess("The service has answered the first call.")
    let two = try await second.outcome().expectSuccess("The service has answered the second call.")
    #expect(one == .grace, "The first call of the bridge waits for its own result.")
    #expect(two == .ada, "The second call of the bridge waits for its own result.")
  }

  private func makeSUT() -> (ProfileViewModel, AsyncProfileServiceSpy) {
    let service = AsyncProfileServiceSpy()
    return (ProfileViewModel(service: service), service)
  }

  /// A load from its beginning to its end.
  private func load(
    _ sut: ProfileViewModel, _ service: AsyncProfileServiceSpy, _ index: Int, _ answer: Result<Profile, any Error>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let load = Running { await sut.load() }
    await service.calls.receives(index + 1)
    service.calls.complete(index, with: answer, sourceLocation: sourceLocation)
    _ = try await load.outcome(sourceLocation: sourceLocation)
  }
}

extension Profile {
  fileprivate static let grace = Profile(userName: "Grace Hopper", address: "Arlington, Virginia")
}

/// How services end when their task is cancelled.
enum Cancelled: CaseIterable {
  case withACancellationError
  case withAnErrorOfItsOwn
  case withAProfile
}

/// Ends a cancelled call in one of these ways.
private struct CancelledService: AsyncProfileService {
  let decoratee: any AsyncProfileService
  let cancelled: Cancelled

  func profile() async throws -> Profile {
    do {
      return try await decoratee.profile()
    } catch let error as CancellationError {
      switch cancelled {
      case .withACancellationError: throw error
      case .withAnErrorOfItsOwn: throw URLError(.cancelled)
      case .withAProfile: return .ada
      }
    }
  }
}

/// Answers before `getProfile` returns.
private struct ImmediateService: ProfileService, Sendable {
  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    completion(.success(.grace))
  }
}

/// How the older of two loads ends.
enum OlderLoad: CaseIterable {
  case succeeds
  case fails
}
