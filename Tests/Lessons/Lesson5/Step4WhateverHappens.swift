import Given
import TestSupport
import Testing

@Suite("Step 4: whatever happens", .oneAtATime)
struct Step4WhateverHappens {
  @Test("the two stacks obey all the rules in random sequences of events")
  func tellsStories() async {
    await expectNoStoryGoesWrong(count: 400, of: World.randomEvents) { World(using: &$0) }
  }

  @Test("two threads can use the stacks")
  func servesTwoThreads() async {
    for stack in [Subject.blockOutside, .loggerOutside] {
      let (calls, log) = (Inbox<String>(), Inbox<HTTPLogRecord>())
      await expectTwoThreadsDoNotMeet { client in
        let counting = ClosureClient { request, completion in
          calls.receive(request.name)
          client.load(request, completion: completion)
        }
        return stack(around: counting, BlockListSpy(), log, { ManualClock().now })
      }
      // The other requests come while the account is being blocked.
      let paths = { (paths: [String]) in paths.filter { $0.hasPrefix("/first/") || $0.hasPrefix("/second/") }.sorted() }
      await log.receives(paths(calls.values).count)
      let isRight = paths(log.values.map(\.path)) == paths(calls.values)
      #expect(
        isRight,
        "Two threads received results at almost the same moment. Each result needs one record. What do the two records share?")
    }
  }
}
