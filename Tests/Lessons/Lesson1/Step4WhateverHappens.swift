import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the manager behaves correctly in hundreds of random stories")
  func tellsStories() async {
    await expectNoStoryGoesWrong(ManagerStory.self, count: 200)
  }
}
