import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 2: track", .oneAtATime)
struct Step2Track {
  @Test("all items of a load are tracked with one call")
  func tracks() async {
    await each("count", in: [3, 0]) { count in
      let values = "\(["Tea 1", "Bread 1", "Tea 1"].prefix(count))"
      await story(
        .tracking, "Track all items of a load with one call, in order, before you return them. Track an empty list, too."
      ) {
        await $0.load(.items, leadsTo: "load 1 requests the items")
        await $0.end(1, with: .success(count), leadsTo: "tracked: \(values)", "load 1 returns \(values)")
      }
    }
  }

  @Test("the items of each successful load are tracked separately")
  func tracksEachLoad() async {
    await story(.tracking, "Track the items of each load that succeeds, and nothing for a load that fails.") {
      await $0.load(.items, leadsTo: "load 1 requests the items")
      await $0.load(.items, leadsTo: "load 2 requests the items")
      await $0.end(2, with: .success(1), leadsTo: #"tracked: ["Tea 2"]"#, #"load 2 returns ["Tea 2"]"#)
      await $0.end(1, with: .failure(.offline), leadsTo: "load 1 throws \(Trouble.offline.inWords)")
      await $0.load(.items, leadsTo: "load 3 requests the items")
      await $0.end(3, with: .success(1), leadsTo: #"tracked: ["Tea 1"]"#, #"load 3 returns ["Tea 1"]"#)
    }
  }

  @Test("unchanged: after a failed load, nothing is tracked, and the error is thrown")
  func tracksNoFailure() async {
    await each("error", in: Trouble.allCases) { trouble in
      await story(.tracking, "The load has failed, so there are no items. Track nothing, and throw the same error.") {
        await $0.load(.items, leadsTo: "load 1 requests the items")
        await $0.end(1, with: .failure(trouble), leadsTo: "load 1 throws \(trouble.inWords)")
      }
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
