import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the decorators obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 200, of: World.randomEvents()) {
      World(.app([.debug, .release, .tests].randomElement(using: &$0)!))
    }
  }
}
