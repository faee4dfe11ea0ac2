import TestSupport
import Testing

@Suite("Step 4: whatever happens (extra)", .serialized, .oneAtATime)
struct Step4WhateverHappens {
  @Test("the decorator obeys all the rules in random sequences of events")
  func tellsStoriesOfTheDecorator() async {
    await expectNoStoryGoesWrong(count: 300, of: DispatchWorld.randomEvents) { DispatchWorld(using: &$0) }
  }

  @Test("the feed screen obeys all the rules in random sequences of events")
  func tellsStoriesOfTheScreen() async {
    await expectNoStoryGoesWrong(count: 300, of: FeedWorld.randomEvents) { _ in FeedWorld() }
  }
}
