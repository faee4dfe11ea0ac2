import Given
import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the two stacks obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(StackStory.self, count: 400)
  }

  @Test("unchanged: two threads can use the stacks")
  func servesTwoThreads() async {
    for stack in [Subject.blockOutside, .loggerOutside] {
      await expectTwoThreadsDoNotMeet { stack(around: $0, BlockListSpy(), Inbox<HTTPLogRecord>(), { ManualClock().now }) }
    }
  }
}
