import TestSupport
import Testing

@Suite("Step 8: whatever happens", .oneAtATime)
struct Step8WhateverHappens {
  @Test("the profile screen behaves correctly in hundreds of random stories")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 100)
  }

  @Test("the credentials provider behaves correctly in hundreds of random stories")
  func tellsStoriesAboutCredentials() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }

  @Test("the log and the fallback behave correctly in hundreds of random stories")
  func tellsStoriesAboutTheFeed() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 200)
  }

  @Test("the retry behaves correctly in hundreds of random stories")
  func tellsStoriesAboutTheRetry() async {
    await expectNoStoryGoesWrong(RetryStory.self, count: 1000)
  }
}
