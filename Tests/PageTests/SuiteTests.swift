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
  private static let red = "\(Project.root)/.build/red"

  /// The tests of a recorded run, in the order of the page.
  private func tests(_ file: String) throws -> [(lesson: Int, suite: String, test: TestProgress)] {
    let text = try #require(Files.text("\(Self.red)/\(file).jsonl"))
    var progress = SuiteProgress()
    for line in text.split(separator: "\n") { progress.read(Data(line.utf8), root: Project.root) }
    let missing = try Project.repository.get().numbers.filter { number in
      !progress.tests.values.contains { $0.id.lesson == number }
    }
    try #require(
      missing.isEmpty, "No test of \(missing.map(Lesson.folder)) is in .build/red/\(file).jsonl. Record it again with `.ci/run`.")
    let order = { (id: TestID) in (id.lesson ?? 0, id.step ?? 99, id.file, id.line) }
    return progress.tests.values.filter { $0.id.lesson != nil && $0.id.step != nil && $0.state != .skipped }
      .sorted { order($0.id) < order($1.id) }
      .map { ($0.id.lesson ?? 0, progress.suiteNames["\($0.id.module).\($0.id.suite)"] ?? $0.id.suite, $0) }
  }

  @Test("each step starts red, with a message for each failure", .enabled(if: Files.stamp("\(red)/all.jsonl") != nil))
  func startsRed() throws {
    let all = try tests("all")
    for (place, step) in Dictionary(grouping: all, by: { "\(Lesson.folder($0.lesson)), \($0.suite)" }) {
      let isUnchanged = step[0].suite.hasPrefix(TestProgress.unchanged)
      #expect(
        isUnchanged || step.contains { $0.test.hasFailed }, "\(place): No test fails, so a learner would find nothing to do.")
      for (_, _, test) in step {
        let name = "\(place): \"\(test.name)\""
        let words = test.name.replacing(TestProgress.unchanged, with: "").split(separator: " ")
        #expect(words.count <= 12, "\(name) has more than 12 words.")
        #expect(
          test.hasFailed != (isUnchanged || test.isUnchanged),
          "\(name) \(test.hasFailed ? "fails" : "passes") as shipped. The name of what passes, and of nothing else, begins with \"\(TestProgress.unchanged)\"."
        )
        for complaint in test.complaints where complaint.sentence?.hasPrefix("This happened with") ?? true {
          Issue.record("\(name) fails without a sentence for the learner: \(complaint.expectation)")
        }
      }
    }
  }

  @Test("a plain run reports one failure for each lesson", .enabled(if: Files.stamp("\(red)/first.jsonl") != nil))
  func reportsOneFailure() throws {
    let first = try tests("first").filter { !$0.suite.hasPrefix(TestProgress.unchanged) }
    for (lesson, tests) in Dictionary(grouping: first, by: \.lesson) {
      let reported = tests.map(\.test).filter { $0.hasFailed || $0.state == .passed }
      #expect(
        reported.map(\.name) == [tests[0].test.name] && tests[0].test.complaints.count == 1,
        "\(Lesson.folder(lesson)) should report one issue, in its first test.")
    }
  }
}
