import TestSupport
import Testing

@Suite("Step 9: whatever happens (extra)", .oneAtATime)
struct Step9WhateverHappens {
  @Test("the profile screen obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(count: 100, of: ScreenWorld.randomEvents) { _ in ScreenWorld() }
  }

  @Test("the credentials provider obeys all the rules in random sequences of events")
  func tellsStoriesAboutCredentials() async {
    await expectNoStoryGoesWrong(count: 400, of: RefreshWorld.randomEvents) {
      RefreshWorld(lifetime: [0, 0.3].randomElement(using: &$0)!)
    }
  }

  @Test("the cache obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheCache() async {
    await expectNoStoryGoesWrong(count: 400, of: CacheWorld.randomEvents) { _ in CacheWorld() }
  }

  @Test("the retry middleware obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheRetry() async {
    await expectNoStoryGoesWrong(count: 900, of: RetryWorld.randomEvents) { RetryWorld(using: &$0) }
  }
}
