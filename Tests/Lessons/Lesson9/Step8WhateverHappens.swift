import TestSupport
import Testing

@Suite("Step 8: whatever happens (extra)", .oneAtATime)
struct Step8WhateverHappens {
  @Test("the profile screen obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(ScreenStory.self, count: 100)
  }

  @Test("the credentials provider obeys all the rules in random sequences of events")
  func tellsStoriesAboutCredentials() async {
    await expectNoStoryGoesWrong(RefreshStory.self, count: 400)
  }

  @Test("logging and fallback obey all the rules in random sequences of events")
  func tellsStoriesAboutTheFeed() async {
    await expectNoStoryGoesWrong(FeedStory.self, count: 200)
  }

  @Test("the retry middleware obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheRetry() async {
    await expectNoStoryGoesWrong(RetryStory.self, count: 1000)
  }
}
