import TestSupport
import Testing

@Suite("Step 6: whatever happens", .serialized, .oneAtATime)
struct Step6WhateverHappens {
  @Test("the decorator behaves correctly in hundreds of random stories")
  func tellsStoriesOfTheDecorator() async {
    await expectNoStoryGoesWrong(DispatchStory.self, count: 300)
  }

  @Test("the feed screen behaves correctly in hundreds of random stories")
  func tellsStoriesOfTheScreen() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 300)
  }
}
