import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the screen behaves correctly in random sequences of events")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ArticlesStory.self, count: 200)
  }

  @Test("the headers decorator behaves correctly in random sequences of events")
  func tellsStoriesAboutTheHeaders() async {
    await expectNoStoryGoesWrong(HeadersStory.self, count: 100)
  }
}
