import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import enum TestSupport.SampleError

@testable import Exercise8

@Suite("Step 2: track", .oneAtATime)
struct Step2Track {
  @Test("all items of a load are tracked with one call")
  func tracks() async throws {
    for items in [["Tea", "Bread", "Tea"], []] {
      let tracker = Inbox<[String]>()
      let sut = tracked(ItemServiceStub { items }, by: tracker)

      let loaded = try await sut.loadItems()

      #expect(
        tracker.values == [items],
        "Track all items of a load with one call, in order, before you return them. Track an empty list, too.")
      #expect(loaded == items, "Return the items that the decoratee has loaded, unchanged.")
    }
  }

  @Test("the items of each successful load are tracked separately")
  func tracksEachLoad() async {
    let tracker = Inbox<[String]>()
    var loads = 0
    let service = ItemServiceStub {
      loads += 1
      if loads == 2 { throw SampleError.offline.error }
      return ["Tea"]
    }
    let sut = tracked(service, by: tracker)

    for _ in 1...3 { _ = try? await sut.loadItems() }

    #expect(
      tracker.values == [["Tea"], ["Tea"]], "Track the items of each load that succeeds, and nothing for a load that fails.")
  }

  @Test("unchanged: after a failed load, nothing is tracked, and the error is thrown")
  func tracksNoFailure() async {
    await each("error", in: SampleError.allCases) { trouble in
      let tracker = Inbox<[String]>()
      let sut = tracked(ItemServiceStub { throw trouble.error }, by: tracker)

      var thrown: (any Error)?
      do { _ = try await sut.loadItems() } catch { thrown = error }

      #expect(
        tracker.values.isEmpty && thrown?.isSame(as: trouble.error) == true,
        "The load has failed, so there are no items. Track nothing, and throw the same error.")
    }
  }

  @Test("unchanged: when the shop loads its items, they are tracked once")
  func countsOnce() async throws {
    let counted = Inbox<[String]>()
    let shop = tracked(RemoteItemService { ["Tea", "Bread"] }, by: AnalyticsTracker.shared)

    let items = try await AnalyticsTracker.$redirection.withValue(counted) { try await shop.loadItems() }

    #expect(items == ["Tea", "Bread"], "The shop should get the back end's items, unchanged.")
    #expect(
      counted.values.count == 1,
      "The shop loads its items once, but the tracker is called \(counted.values.count) times. What calls it?")
  }
}
