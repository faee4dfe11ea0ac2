import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the decorators obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(LoggingStory.self, count: 200)
  }
}
