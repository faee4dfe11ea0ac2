import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("a factory's clients obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(FactoryStory.self, count: 400)
  }
}
