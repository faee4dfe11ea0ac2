import TestSupport
import Testing

@Suite("Step 8: whatever happens", .oneAtATime)
struct Step8WhateverHappens {
  @Test("no story about the profile screen goes wrong")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 100)
  }

  @Test("no story about the credentials goes wrong")
  func tellsStoriesAboutCredentials() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }

  @Test("no story about the log and the fallback goes wrong")
  func tellsStoriesAboutTheFeed() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 200)
  }

  @Test("no story about the retry goes wrong")
  func tellsStoriesAboutTheRetry() async {
    await expectNoStoryGoesWrong(RetryStory.self, count: 1000)
  }
}
