import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("no story about the two stacks goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(StackStory.self, count: 400)
  }
}
