import TestSupport
import Testing

@Suite("Step 8: whatever happens", .oneAtATime)
struct Step8WhateverHappens {
  @Test("the profile screen behaves correctly in random sequences of events")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 100)
  }

  @Test("the credentials provider behaves correctly in random sequences of events")
  func tellsStoriesAboutCredentials() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }

  @Test("logging and fallback behave correctly in random sequences of events")
  func tellsStoriesAboutTheFeed() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 200)
  }

  @Test("the retry behaves correctly in random sequences of events")
  func tellsStoriesAboutTheRetry() async {
    await expectNoStoryGoesWrong(RetryStory.self, count: 1000)
  }
}
