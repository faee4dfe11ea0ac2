import Given
import TestSupport
import Testing

import struct TestSupport.Running
import enum TestSupport.SampleError
import func TestSupport.eventually

@testable import Exercise9

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1RemoveTheHop().showsTheIndicator() } }
}

@Suite("Step 1: remove the hop", .oneAtATime)
struct Step1RemoveTheHop {
  @MainActor
  @Test("a load calls the service and shows the indicator")
  func showsTheIndicator() async {
    let service = AsyncProfileServiceSpy()
    let sut = ProfileViewModel(service: service)

    let load = Running { await sut.load() }
    await service.calls.receives(1)
    #expect(service.calls.count == 1, "A load should call the service once.")
    #expect(sut.isLoading, "Set `isLoading`, and then call the service.")
    load.cancel()
    await eventually { service.calls.cancelled == [0] }

    #expect(
      service.calls.cancelled == [0],
      "A cancellation should reach the service. Call it in `load` itself, without a `Task {}`.")
    service.calls.complete(with: .failure(CancellationError()))
  }

  @Test("a successful load shows the profile")
  func showsTheProfile() async {
    await story(
      ScreenWorld(),
      "After a success, show the new profile, and set `isLoading` to false and `message` to nil. A profile stays while the next one is loading."
    ) {
      await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator"])
      await $0.loadSucceeds(1, with: "Ada", leadsToAllOf: ["the screen shows Ada, without the indicator"])
      await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator and Ada"])
      await $0.loadSucceeds(2, with: "Grace", leadsToAllOf: ["the screen shows Grace, without the indicator"])
    }
  }

  @Test("a failed load shows the error's message until a later load succeeds")
  func showsTheError() async {
    await each("error", in: SampleError.notCanceled) { trouble in
      let message = "\"\(trouble.error.localizedDescription)\""
      await story(ScreenWorld(), "After a failure, `message` is the error's `localizedDescription`. After a success, it is nil.")
      {
        await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator"])
        await $0.loadFails(1, with: trouble, leadsToAllOf: ["the screen shows \(message), without the indicator"])
        // The message may disappear now, or when the load ends.
        await $0.load(leadsToAllOf: ["the service is called", "the screen shows the indicator and \(message)"])
        await $0.loadSucceeds(2, with: "Ada", leadsToAllOf: ["the screen shows Ada, without the indicator"])
      }
    }
  }
}
