import Given
import TestSupport
import Testing

import func TestSupport.settled

@testable import Exercise7

@Suite("Step 3: compose", .oneAtATime)
struct Step3Compose {
  @MainActor
  @Test("the feed is loaded in `viewDidLoad` and on each pull to refresh")
  func loadsTheFeed() async {
    let loader = FeedLoaderSpy()
    let sut = FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: FeedImageDataLoaderSpy())
    #expect(
      loader.calls.count == 0, "Compose the screen, and load nothing yet: the screen itself requests the feed from its delegate.")

    sut.loadViewIfNeeded()
    #expect(
      loader.calls.count == 1,
      "When its view has loaded, the screen requests the feed from its delegate. Give it a delegate that calls the loader.")
    #expect(
      sut.refreshControl.isRefreshing, "During a load, the indicator should run. The presenter tells its views what to show.")

    await loader.calls.complete(with: .success([.cat, .dog]), on: .newBackgroundQueue)
    await settled { !sut.refreshControl.isRefreshing }
    #expect(
      sut.listView.rows == ["A cat", "A dog"],
      "After a load, the rows should show the feed. The presenter tells its views what to show.")

    sut.pullToRefresh()
    #expect(loader.calls.count == 2, "A pull to refresh should load the feed again.")
  }

  @Test("a feed from another queue is shown on the main queue")
  func dispatchesTheFeed() async {
    await story(FeedWorld(), "The feed loader may deliver on any queue, and the screen does not dispatch. Decorate the loader.") {
      await $0.requestFeed(leadsToAllOf: ["load 1 requests the feed", "the indicator runs"])
      await $0.end(on: .otherQueue, leadsToAllOf: [#"the rows are ["feed 1", "A dog"]"#, "the indicator does not run"])
    }
  }

  @Test("an appearing row loads its image; a disappearing row cancels the load")
  func loadsImages() async {
    await story(FeedWorld(), "The image loader may deliver on any queue, and a row does not dispatch. Decorate the loader.") {
      await $0.requestFeed(early: .value, leadsToAllOf: ["load 1 requests the feed", #"the rows are ["feed 1", "A dog"]"#])
      await $0.appear(1, leadsToAllOf: ["load 2 requests dog.jpg", "row 2 shows no image"])
      await $0.appear(0, leadsToAllOf: ["load 3 requests cat.jpg", "row 1 shows no image"])
      await $0.end(1, on: .otherQueue, leadsToAllOf: ["row 2 shows image 2"])
      await $0.disappear(0, leadsToAllOf: ["the image loader cancels load 3"])
    }
  }

  @Test("a screen is released if the user leaves it during a load")
  func releasesTheLoadingScreen() async {
    await story(
      FeedWorld(),
      "When the user leaves, the screen should be released, even during a load. Draw which of your objects retains which."
    ) {
      await $0.requestFeed(leadsToAllOf: ["load 1 requests the feed", "the indicator runs"])
      await $0.leave(leadsToAllOf: ["the screen is released"])
      await $0.end(on: .otherQueue)
    }
  }

  @Test("a screen is released if the user leaves it after a load")
  func releasesTheScreen() async {
    await story(FeedWorld(), "When the user leaves, the screen should be released, and its rows should cancel their loads.") {
      await $0.requestFeed(early: .value, leadsToAllOf: ["load 1 requests the feed", #"the rows are ["feed 1", "A dog"]"#])
      await $0.appear(0, leadsToAllOf: ["load 2 requests cat.jpg", "row 1 shows no image"])
      await $0.leave(leadsToAllOf: ["the screen is released", "the image loader cancels load 2"])
    }
  }

  @Test("the screen obeys steps 1 to 3 in random stories")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 150, of: FeedWorld.randomEvents) { _ in FeedWorld() }
  }
}
