import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("no story about the manager goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(ManagerStory.self, count: 200)
  }
}
