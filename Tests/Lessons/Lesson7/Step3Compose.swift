import Given
import TestSupport
import Testing

@Suite("Step 3: compose", .oneAtATime)
struct Step3Compose {
  @Test("the feed is loaded in `viewDidLoad` and on each pull to refresh")
  func loadsTheFeed() async {
    await feedStory(
      """
      Compose the screen, and load nothing yet: the screen itself requests the feed from its delegate, and the presenter tells its \
      views what to show.
      """
    ) {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(1, on: .mainQueue, leadsTo: #"the rows are ["feed 1", "A dog"]"#, "the indicator does not run")
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(2, on: .mainQueue, leadsTo: #"the rows are ["feed 2", "A dog"]"#, "the indicator does not run")
    }
  }

  @Test("a feed from another queue is shown on the main queue")
  func dispatchesTheFeed() async {
    await feedStory("The feed loader may deliver on any queue, and the screen does not dispatch. Decorate the loader.") {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(1, on: .otherQueue, leadsTo: #"the rows are ["feed 1", "A dog"]"#, "the indicator does not run")
    }
  }

  @Test("an appearing row loads its image; a disappearing row cancels the load")
  func loadsImages() async {
    await feedStory("The image loader may deliver on any queue, and a row does not dispatch. Decorate the loader.") {
      await $0.requestFeed(endingEarly: .value, leadsTo: #"the rows are ["feed 1", "A dog"]"#)
      await $0.appear(2, leadsTo: "row 2 shows no image")
      await $0.appear(1, leadsTo: "row 1 shows no image")
      await $0.end(2, on: .otherQueue, leadsTo: "row 2 shows image 2")
      await $0.disappear(1, leadsTo: "the image loader cancels load 3")
    }
  }

  @Test("a screen is released if the user leaves it during a load")
  func releasesTheLoadingScreen() async {
    await feedStory(
      "When the user leaves, the screen should be released, even during a load. Draw which of your objects retains which."
    ) {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.leave()
      await $0.end(1, on: .otherQueue)
    }
  }

  @Test("a screen is released if the user leaves it after a load")
  func releasesTheScreen() async {
    await feedStory("When the user leaves, the screen should be released, and its rows should cancel their loads.") {
      await $0.requestFeed(endingEarly: .value, leadsTo: #"the rows are ["feed 1", "A dog"]"#)
      await $0.appear(1, leadsTo: "row 1 shows no image")
      await $0.leave(leadsTo: "the image loader cancels load 2")
    }
  }

  @Test("the screen obeys steps 1 to 3 in random stories")
  func tellsStories() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 150, leavingOut: \.mayCancel)
  }
}
