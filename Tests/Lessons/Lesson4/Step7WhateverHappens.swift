import TestSupport
import Testing

@Suite("Step 7: whatever happens", .patientOnce)
struct Step7WhateverHappens {
  @Test("the decorator keeps its promises in every random story")
  func tellsStories() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }
}
