import Given
import TestSupport
import Testing

@Suite("Step 3: compose", .oneAtATime)
struct Step3Compose {
  @Test("the feed is loaded with the view, and again on each refresh")
  func loadsTheFeed() async {
    await feedStory("Load the feed on request, and tell the presenter when the load starts and when it ends.") {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(1, on: .mainQueue, leadsTo: "the rows are feed 1 and A dog", "the indicator does not run")
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(2, on: .mainQueue, leadsTo: "the rows are feed 2 and A dog", "the indicator does not run")
    }
  }

  @Test("a feed from another queue is shown on the main queue")
  func dispatchesTheFeed() async {
    await feedStory("The feed loader may deliver on any queue, and the screen does not dispatch. Decorate the loader.") {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(1, on: .otherQueue, leadsTo: "the rows are feed 1 and A dog", "the indicator does not run")
    }
  }

  @Test("an error is shown on the main queue until the next load")
  func showsTheError() async {
    await each("error", in: [Trouble.explained, .canceled]) { trouble in
      await feedStory("Show an error, and hide it when the next load starts. The presenter does both, if it is told.") {
        await $0.requestFeed(leadsTo: "the indicator runs")
        await $0.end(
          1, with: .failure(trouble), on: .otherQueue, leadsTo: "the error is \"\(trouble.error.localizedDescription)\"",
          "the indicator does not run")
        await $0.requestFeed(leadsTo: "the indicator runs", "there is no error")
        await $0.end(2, with: .emptyValue, on: .otherQueue, leadsTo: "the indicator does not run")
      }
    }
  }

  @Test("a row loads its image when it appears, until it disappears")
  func loadsImages() async {
    await feedStory("Each row loads its image with the decorated loader, and cancels the load when it disappears.") {
      await $0.requestFeed(endingEarly: .value, leadsTo: "the rows are feed 1 and A dog")
      await $0.appear(2, leadsTo: "row 2 shows no image")
      await $0.appear(1, leadsTo: "row 1 shows no image")
      await $0.end(2, on: .otherQueue, leadsTo: "row 2 shows image 2")
      await $0.disappear(1, leadsTo: "the image loader cancels load 3")
    }
  }

  @Test("an image on the main queue is shown without a hop")
  func showsImagesSynchronously() async {
    await feedStory("An image that arrives on the main queue is shown immediately, without a hop.") {
      await $0.requestFeed(endingEarly: .value, leadsTo: "the rows are feed 1 and A dog")
      await $0.appear(1, endingEarly: .value, leadsTo: "row 1 shows image 2")
    }
  }

  @Test("a screen that the user leaves during a load is released")
  func releasesTheLoadingScreen() async {
    await feedStory("When the user leaves, nothing should retain the screen, not even a load. Draw the arrows.") {
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.leave()
      await $0.end(1, on: .otherQueue)
    }
  }

  @Test("a screen that the user leaves after a result is released")
  func releasesTheScreen() async {
    await each("result", in: [Ending.value, .failure(.explained)]) { ending in
      await feedStory("When the user leaves, the screen should be released, and its rows should cancel their loads.") {
        let result =
          ending == .value ? "the rows are feed 1 and A dog" : "the error is \"\(Trouble.explained.error.localizedDescription)\""
        await $0.requestFeed(endingEarly: ending, leadsTo: result)
        if ending == .value {
          await $0.appear(1, leadsTo: "row 1 shows no image")
          await $0.leave(leadsTo: "the image loader cancels load 2")
        } else {
          await $0.leave()
        }
      }
    }
  }

  @Test("a new feed replaces the rows, even if it is equal")
  func replacesEqualRows() async {
    await feedStory("A new feed replaces the rows, even if it is equal. The old rows should cancel their loads.") {
      await $0.requestFeed(endingEarly: .sameValue, leadsTo: "the rows are the same feed and A dog")
      await $0.appear(1, leadsTo: "row 1 shows no image")
      await $0.requestFeed(leadsTo: "the indicator runs")
      await $0.end(3, with: .sameValue, on: .otherQueue, leadsTo: "the indicator does not run", "the image loader cancels load 2")
    }
  }
}
