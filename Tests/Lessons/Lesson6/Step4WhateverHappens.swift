import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("a factory's clients obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 400, of: FactoryWorld.randomEvents) { FactoryWorld(using: &$0) }
  }
}
