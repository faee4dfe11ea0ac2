import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 2: track", .oneAtATime)
struct Step2Track {
  @Test("all items of a load are tracked with one call")
  func tracks() async throws {
    try await each("items", in: [["Tea", "Bread", "Tea"], []]) { items in
      let tracker = Inbox<[String]>()
      let sut = tracked(ItemServiceStub { items }, by: tracker)

      let loaded = try await sut.loadItems()

      #expect(
        tracker.values == [items],
        "Track all items of a load with one call, in order, before you return them. Track an empty list, too.")
      #expect(loaded == items, "Return the items that the decoratee has loaded, unchanged.")
    }
  }

  @Test("the items of each load are tracked, even in a canceled task")
  func tracksEachLoad() async throws {
    let tracker = Inbox<[String]>()
    let sut = tracked(ItemServiceStub { ["Tea"] }, by: tracker)

    for isCanceled in [false, false, true] {
      let outcome = try await Running(isCanceled: isCanceled) { try await sut.loadItems() }.outcome()
      #expect(try outcome.get() == ["Tea"], "Return the items that the decoratee has loaded, even in a canceled task.")
    }

    #expect(
      tracker.values == [["Tea"], ["Tea"], ["Tea"]],
      "Three loads have returned, the last one in a canceled task. Track the items of each, even if they are the same.")
  }

  @Test("around another tracking decorator, a load is tracked as well")
  func tracksAroundAnotherTracker() async throws {
    let (outer, inner) = (Inbox<[String]>(), Inbox<[String]>())
    let sut = tracked(tracked(ItemServiceStub { ["Tea"] }, by: inner), by: outer)

    _ = try await sut.loadItems()

    #expect(
      [outer.values, inner.values] == [[["Tea"]], [["Tea"]]],
      "Of two tracking decorators, one around the other, each has a tracker of its own, and tracks each load.")
  }

  @Test("unchanged: after a failed load, nothing is tracked, and the error is thrown")
  func tracksNoFailure() async throws {
    try await each("error", in: SampleError.allCases, "task is canceled", in: [false, true]) { sample, isCanceled in
      let tracker = Inbox<[String]>()
      let sut = tracked(ItemServiceStub { throw sample.error }, by: tracker)

      let outcome = try await Running(isCanceled: isCanceled) { try await sut.loadItems() }.outcome()

      #expect(
        tracker.values.isEmpty && outcome.failure?.isSame(as: sample.error) == true,
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

  @Test("unchanged: when a load has ended, nothing of it is kept")
  func keepsNothing() async {
    await expectNothingKept { tracked(ItemServiceStub(load: $0), by: Recorder()).loadItems }
  }

  @Test("hundreds of loads obey these rules, however they end")
  func weathersAStorm() async throws {
    try await expectEachLoadIsTracked { tracked(ItemServiceStub(load: $0), by: $1).loadItems }
  }
}
