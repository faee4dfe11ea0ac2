import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the screen obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheScreen() async {
    await expectNoStoryGoesWrong(count: 200, of: ArticlesWorld.randomEvents) { _ in ArticlesWorld() }
  }

  @Test("the headers decorator obeys all the rules in random sequences of events")
  func tellsStoriesAboutTheHeaders() async {
    await expectNoStoryGoesWrong(count: 100, of: HeadersWorld.randomEvents) { HeadersWorld(using: &$0) }
  }

  @Test("unchanged: two threads can use the headers decorator")
  func servesTwoThreads() async {
    await expectTwoThreadsDoNotMeet { addingHeaders(["X-App-Version": "2.0"], to: $0) }
  }
}
