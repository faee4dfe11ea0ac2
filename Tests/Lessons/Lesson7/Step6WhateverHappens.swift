import TestSupport
import Testing

@Suite("Step 6: whatever happens (extra)", .serialized, .oneAtATime)
struct Step6WhateverHappens {
  @Test("the decorator obeys all the rules in random sequences of events")
  func tellsStoriesOfTheDecorator() async {
    await expectNoStoryGoesWrong(count: 300, of: DispatchWorld.randomEvents(canceling: true)) { DispatchWorld(using: &$0) }
  }

  @Test("the feed screen obeys all the rules in random sequences of events")
  func tellsStoriesOfTheScreen() async {
    await expectNoStoryGoesWrong(count: 300, of: FeedWorld.randomEvents(canceling: true)) { _ in FeedWorld() }
  }
}
