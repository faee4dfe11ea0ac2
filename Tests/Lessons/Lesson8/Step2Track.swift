import Given
import TestSupport
import Testing

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
    await story(LoggingStory(.tracking), "Track the items of each load that succeeds, and nothing for a load that fails.") {
      await $0.play(.load(.items), leadsToAllOf: ["load 1 requests the items"])
      await $0.play(.load(.items), leadsToAllOf: ["load 2 requests the items"])
      await $0.play(.end(1, with: .success(1)), leadsToAllOf: [#"tracked: ["Tea 2"]"#, #"load 2 returns ["Tea 2"]"#])
      await $0.play(.end(with: .failure(.offline)), leadsToAllOf: ["load 1 throws \(Trouble.offline.inWords)"])
      await $0.play(.load(.items), leadsToAllOf: ["load 3 requests the items"])
      await $0.play(.end(with: .success(1)), leadsToAllOf: [#"tracked: ["Tea 1"]"#, #"load 3 returns ["Tea 1"]"#])
    }
  }

  @Test("unchanged: after a failed load, nothing is tracked, and the error is thrown")
  func tracksNoFailure() async {
    await each("error", in: Trouble.allCases) { trouble in
      await story(
        LoggingStory(.tracking), "The load has failed, so there are no items. Track nothing, and throw the same error."
      ) {
        await $0.play(.load(.items), leadsToAllOf: ["load 1 requests the items"])
        await $0.play(.end(with: .failure(trouble)), leadsToAllOf: ["load 1 throws \(trouble.inWords)"])
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
