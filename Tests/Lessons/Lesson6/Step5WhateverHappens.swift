import TestSupport
import Testing

@Suite("Step 5: whatever happens", .oneAtATime)
struct Step5WhateverHappens {
  @Test("no story about a factory's clients goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(FactoryStory.self, count: 400)
  }
}
