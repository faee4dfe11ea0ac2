import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("no story about the two screens goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 100)
  }
}
