import TestSupport
import Testing

@Suite("Step 6: whatever happens", .serialized, .oneAtATime)
struct Step6WhateverHappens {
  @Test("no story about the decorator goes wrong")
  func tellsStoriesOfTheDecorator() async {
    await expectNoStoryGoesWrong(DispatchStory.self, count: 300)
  }

  @Test("no story about the feed screen goes wrong")
  func tellsStoriesOfTheScreen() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 300)
  }
}
