import TestSupport
import Testing

@testable import Exercise5

@Suite("Step 5: would you merge it?", .oneAtATime)
struct Step5WouldYouMergeIt {
  @Test("what happens with pull request 1 agrees with your verdict")
  func judges1() async { await expectRightVerdict(on: 1) }

  @Test("what happens with pull request 2 agrees with your verdict")
  func judges2() async { await expectRightVerdict(on: 2) }

  @Test("what happens with pull request 4 agrees with your verdict")
  func judges4() async { await expectRightVerdict(on: 4) }

  @Test("what happens with pull request 5 agrees with your verdict")
  func judges5() async { await expectRightVerdict(on: 5) }

  private func expectRightVerdict(on number: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
    func report(_ message: String) { Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation) }
    guard let request = PullRequest.all[number], case .some(let verdict?) = Verdicts.all[number] else {
      return report("There is no verdict on pull request \(number) yet. Read its diff on the page: would you merge it?")
    }
    let count = 300
    // Then there is nothing to show.
    if case .sendBack(let rule) = verdict, request.brokenRules.contains(rule) { return }
    let story = await PullRequest.$underReview.withValue(request) {
      await shortestStoryThatGoesWrong(count: count, of: World.randomEvents) { World(using: &$0) }
    }
    switch (verdict, story) {
    case (.merge, nil):
      break
    case (.merge, let story?):
      report("You have merged pull request \(number). This is what happens with it:\n\(story)")
    case (.sendBack, nil):
      report(
        """
        You have sent back pull request \(number). Nothing goes wrong with it, in \(count) random stories either. Which event would \
        break the rule that you had in mind?
        """)
    case (.sendBack(let rule), let story?):
      report(
        """
        You have sent back pull request \(number) for `\(rule)`. It breaks another rule. This is what happens with it:
        \(story)
        """)
    }
  }
}
