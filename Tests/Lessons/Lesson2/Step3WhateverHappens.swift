import TestSupport
import Testing

@Suite("Step 3: whatever happens", .oneAtATime)
struct Step3WhateverHappens {
  @Test("both screens obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 100, of: World.randomEvents) { _ in World() }
  }
}
