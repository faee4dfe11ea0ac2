import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("no story about the screen goes wrong")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ArticlesStory.self, count: 200)
  }

  @Test("no story about the headers goes wrong")
  func tellsStoriesAboutTheHeaders() async {
    await expectNoStoryGoesWrong(HeadersStory.self, count: 100)
  }
}
