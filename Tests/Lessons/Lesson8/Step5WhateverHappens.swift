import TestSupport
import Testing

@Suite("Step 5: whatever happens", .oneAtATime)
struct Step5WhateverHappens {
  @Test("no story about the decorators goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(LoggingStory<AppSubjects>.self, count: 200)
  }
}
