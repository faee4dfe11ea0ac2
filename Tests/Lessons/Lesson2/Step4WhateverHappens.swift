import TestSupport
import Testing

@Suite("Step 4: whatever happens", .patientOnce)
struct Step4WhateverHappens {
  @Test("both screens follow the rules in every random story")
  func tellsStories() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 200)
  }
}
