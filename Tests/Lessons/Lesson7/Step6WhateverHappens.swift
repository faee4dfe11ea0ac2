import TestSupport
import Testing

@Suite("Step 6: whatever happens (extra)", .serialized, .oneAtATime)
struct Step6WhateverHappens {
  @Test("the decorator obeys all the rules in random sequences of events")
  func tellsStoriesOfTheDecorator() async {
    await expectNoStoryGoesWrong(DispatchStory.self, count: 300)
  }

  @Test("the feed screen obeys all the rules in random sequences of events")
  func tellsStoriesOfTheScreen() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 300)
  }
}
