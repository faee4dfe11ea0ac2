import Given
import TestSupport
import Testing

import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise9

@Suite("Step 6: a newer load (extra)", .oneAtATime)
struct Step6NewerLoad {
  @MainActor
  @Test("a replaced load shows no result, even if it ends first")
  func replacedLoadShowsNothing() async throws {
    try await each("end of the older load", in: [.success(.ada), .failure(URLError(.timedOut))]) {
      (end: Result<Profile, any Error>) in
      let service = AsyncProfileServiceSpy()
      let sut = ProfileViewModel(service: service)

      let older = Running { await sut.load() }
      await service.calls.receives(1)
      let newer = Running { await sut.load() }
      await service.calls.receives(2)
      service.calls.complete(0, with: end)
      _ = try await older.outcome()
      #expect(
        sut.profile == nil && sut.message == nil, "A load that a newer one has replaced should change nothing on the screen.")
      #expect(sut.isLoading, "The newer load is still in flight, and needs the indicator.")
      service.calls.complete(1, with: .success(.ada))
      _ = try await newer.outcome()

      #expect(sut.profile == .ada && !sut.isLoading, "When the newest load ends, show its profile, without the indicator.")
    }
  }

  @Test("a replaced load changes nothing if it ends after the newer one")
  func replacedLoadEndsLast() async {
    await story(
      ScreenWorld(),
      "Loads may end in any order. Only the newest one changes the screen, and when it ends, the indicator stops."
    ) {
      await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator"])
      for _ in 2...3 { await $0.load(leadsToAllOf: ["the service is called"]) }
      await $0.loadSucceeds(3, with: "Grace", leadsToAllOf: ["the screen shows Grace, without the indicator"])
      await $0.loadSucceeds(1, with: "Ada")
      await $0.loadFails(2, with: .offline)
    }
  }

  @Test("canceling a replaced load leaves the newer load's indicator on")
  func replacedLoadIsCanceled() async {
    await story(ScreenWorld(), "Only the older load is canceled. The newer one still needs the indicator and shows its profile.")
    {
      await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator"])
      await $0.load(leadsToAllOf: ["the service is called"])
      await $0.cancel(1, leadsToAllOf: ["the cancellation of load 1 reaches the service"])
      await $0.loadFails(1, with: .cancellation)
      await $0.loadSucceeds(2, with: "Grace", leadsToAllOf: ["the screen shows Grace, without the indicator"])
    }
  }

  @Test("a load that fails in a canceled task shows no message")
  func canceledLoadShowsNothing() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(
        ScreenWorld(),
        "A load that fails in a canceled task ends, so its indicator stops. It changes nothing else, whatever it throws: check the task, not the error."
      ) {
        await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator"])
        await $0.loadSucceeds(1, with: "Ada", leadsToAllOf: ["the screen shows Ada, without the indicator"])
        await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator and Ada"])
        await $0.cancel(2, leadsToAllOf: ["the cancellation of load 2 reaches the service"])
        await $0.loadFails(2, with: trouble, leadsToAllOf: ["again, the screen shows Ada, without the indicator"])
      }
    }
  }

  @Test("the profile screen obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 100, of: ScreenWorld.randomEvents) { _ in ScreenWorld() }
  }
}
