import TestSupport
import Testing

@Suite("Step 7: whatever happens", .oneAtATime)
struct Step7WhateverHappens {
  @Test("no story about the decorator goes wrong")
  func tellsStories() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }
}
