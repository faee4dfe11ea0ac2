import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("`HTTPManager` obeys all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 600, of: ManagerWorld.randomEvents) { ManagerWorld(using: &$0) }
  }
}
