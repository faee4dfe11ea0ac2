import Given
import TestSupport
import Testing

@testable import Exercise9

@MainActor
@Suite("Step 1: remove the hop", .oneAtATime)
struct Step1RemoveTheHop {
  private let service = AsyncProfileServiceSpy()

  @Test("a load shows the indicator, and passes a cancellation on")
  func showsTheIndicator() async {
    let sut = ProfileViewModel(service: service)

    let load = Running { await sut.load() }
    await service.calls.receives(1)
    #expect(service.calls.count == 1, "A load should call the service once.")
    #expect(sut.isLoading, "Set `isLoading`, and then call the service.")
    load.cancel()
    await eventually { service.calls.canceled == [0] }

    #expect(
      service.calls.canceled == [0],
      "A cancellation should reach the service. Call it in `load` itself, without a `Task {}`.")
    service.calls.complete(with: .failure(CancellationError()))
    await eventually { !sut.isLoading }
    #expect(!sut.isLoading, "A load that was canceled has ended, too. Set `isLoading` to false, however it ends.")
  }

  @Test("the service is called in the task of the load")
  func callsTheServiceItself() async {
    let sut = ProfileViewModel(service: CallerTellingService())

    await CallerTellingService.$caller.withValue("the load") { await sut.load() }

    #expect(
      sut.profile?.userName == "the load",
      "Call the service in `load` itself. In a detached task, what belongs to the caller's task, such as its task-local values, is lost."
    )
  }

  @Test("a successful load shows the profile")
  func showsTheProfile() async throws {
    let sut = ProfileViewModel(service: service)
    let grace = Profile(userName: "Grace", address: "")

    try await load(with: sut, endingWith: .success(.ada))
    #expect(sut.profile == .ada, "The service has returned a profile. Show it.")
    #expect(!sut.isLoading, "The load has ended. Set `isLoading` to false.")
    try await load(with: sut, endingWith: .success(grace)) {
      #expect(sut.isLoading, "Another load is in flight. Show the indicator, even if there is a profile already.")
      #expect(sut.profile == .ada, "A profile stays while the next one is loading.")
    }

    #expect(sut.profile == grace && !sut.isLoading, "Each load that succeeds shows its own profile, without the indicator.")
  }

  @Test("a failed load shows the error's message until a later load succeeds")
  func showsTheError() async throws {
    try await each("error", in: [SampleError.offline, .explained, .notHTTP, .unexplained]) { trouble in
      let sut = ProfileViewModel(service: service)

      try await load(with: sut, endingWith: .failure(trouble.error))
      #expect(
        sut.message == trouble.error.localizedDescription, "After a failure, `message` is the error's `localizedDescription`.")
      #expect(!sut.isLoading, "The load has ended, although it has failed. Set `isLoading` to false.")
      try await load(with: sut, endingWith: .success(.ada))

      #expect(sut.message == nil, "A load has succeeded. The message about an earlier failure is no longer true: set it to nil.")
      #expect(sut.profile == .ada, "After a failure, the next load that succeeds shows its profile.")

      for error in [trouble.error, SampleError.explained.error, SampleError.notHTTP.error] {
        try await load(with: sut, endingWith: .failure(error))
        #expect(
          sut.message == error.localizedDescription,
          "Each load that fails sets `message`, even if an older profile or another message is shown.")
      }
      try await load(with: sut, endingWith: .success(.ada))
      #expect(sut.message == nil, "A load has succeeded, even if with the profile that is shown already. Set `message` to nil.")
    }
  }

  @Test("unchanged: a screen that the user has left is released")
  func isReleased() async {
    service.calls.completesEachCall(with: .success(.ada))

    await expectReleased("The load has ended, but the view model is still retained. Which stored closure captures `self`?") {
      await $0.track(ProfileViewModel(service: service)).load()
    }
  }

  /// Lets a load begin and end, and checks something in between.
  private func load(
    with sut: ProfileViewModel, endingWith result: Result<Profile, any Error>, sourceLocation: SourceLocation = #_sourceLocation,
    during: () -> Void = {}
  ) async throws {
    let count = service.calls.count
    let load = Running { await sut.load() }
    await service.calls.receives(count + 1)
    during()
    service.calls.complete(count, with: result, sourceLocation: sourceLocation)
    _ = try await load.outcome(sourceLocation: sourceLocation)
  }
}

/// A service that returns the name of its caller, as a task-local value has it.
private struct CallerTellingService: AsyncProfileService {
  @TaskLocal static var caller = ""

  func profile() async throws -> Profile { Profile(userName: Self.caller, address: "") }
}
