import Foundation
import Testing

@testable import kata

@Suite("The suites of the lessons")
struct SuiteTests {
  @Test("no comment stands directly above a test of a lesson")
  func commentsAreInside() throws {
    // Swift Testing prints such a comment with each failure, with the arrow that a learner reads first.
    for suite in try Project.suites() {
      let text = suite.lines.joined(separator: "\n")
      #expect(!text.contains(/\/\/[^\n]*\n *@(Test|Suite)\b/), "\(suite.path): Move the comment into the function.")
    }
  }

  /// How the exercises start, as the gate has recorded it.
  private static let red = ".build/red"

  /// The tests of a recorded run that belong to steps, each with the title of its suite.
  private func tests(_ file: String) throws -> [(suite: String, test: TestResult)] {
    let lessons = Project.repository.lessons.map(\.folder)
    var run = SuiteRun()
    for line in try Project.text("\(Self.red)/\(file).jsonl").split(separator: "\n") {
      run.read(line, root: Project.repository.root)
    }
    let missing = Set(lessons).subtracting(run.tests.map(\.lesson)).sorted()
    try #require(missing.isEmpty, "No test of \(missing) is in .build/red/\(file).jsonl. Record it again with `.ci/run`.")
    return run.tests.filter { lessons.contains($0.lesson) && $0.step != nil }.map { (run.title(of: $0), $0) }
  }

  @Test("each step starts red, with a message for each failure", .enabled(if: Project.repository.exists("\(red)/all.jsonl")))
  func startsRed() throws {
    let all = try tests("all")
    for (place, step) in Dictionary(grouping: all, by: { "\($0.test.lesson), \($0.suite)" }) {
      let isUnchanged = step[0].suite.hasPrefix(TestResult.unchanged)
      #expect(
        isUnchanged || step.contains { $0.test.hasFailed }, "\(place): No test fails, so a learner would find nothing to do.")
      for (_, test) in step {
        let name = "\(place): \"\(test.name)\""
        let words = test.name.replacing(TestResult.unchanged, with: "").split(separator: " ")
        #expect(words.count <= 12, "\(name) has more than 12 words.")
        #expect(
          test.hasFailed != (isUnchanged || test.isUnchanged),
          "\(name) \(test.hasFailed ? "fails" : "passes") as shipped. The name of what passes, and of nothing else, begins with \"\(TestResult.unchanged)\"."
        )
        for complaint in test.complaints where complaint.sentence.isEmpty || complaint.sentence.hasPrefix("This happened with") {
          Issue.record("\(name) fails without a sentence for the learner: \(complaint.expectation)")
        }
      }
    }
  }

  @Test("a plain run reports one failure for each lesson", .enabled(if: Project.repository.exists("\(red)/first.jsonl")))
  func reportsOneFailure() throws {
    let first = try tests("first").filter { !$0.suite.hasPrefix(TestResult.unchanged) }
    for (lesson, tests) in Dictionary(grouping: first, by: \.test.lesson) {
      let reported = tests.map(\.test).filter { $0.hasFailed || $0.state == .passed }
      #expect(
        reported.map(\.name) == [tests[0].test.name] && tests[0].test.complaints.count == 1,
        "\(lesson) should report one issue, in its first test.")
    }
  }
}
