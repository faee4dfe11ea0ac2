import Foundation

/// What is shown after a run: the lessons that took part, and what to do next.
struct Board {
  let run: SuiteRun
  /// The lessons that took part.
  let lessons: [Lesson]
  /// The lesson to go on with.
  let current: Lesson
  /// The step that was named; `nil` for all of them.
  var step: Int?
  /// A lesson for after the current one.
  var next: Lesson?
  /// Files of exercises that are not where they were.
  var missing: [String] = []
  let terminal: Terminal
  /// Reads a file of the package.
  var text: (String) -> String? = { _ in nil }

  private var steps: [Step] { run.steps(of: current) }

  /// What went wrong without being counted: outside of any test, or in a test that the learner has added outside of any step.
  private var warnings: [String] {
    let strays = run.strays.prefix(1).map { "Outside of any test: \($0.text)" }
    let own = run.tests.filter { $0.step == nil && $0.hasFailed }.prefix(1).map { test in
      "Your own test \"\(test.name)\" fails: \(test.complaints.first?.text ?? "it threw an error.")"
    }
    return strays + own + (run.tests.isEmpty ? ["No tests were reported. Run plain `swift test` to see what it prints."] : [])
  }

  /// How the command exits.
  var exitCode: Int32 {
    if run.ending == .didNotBuild { return 2 }
    return run.ending == .finished && warnings.isEmpty && lessons.allSatisfy { count(of: $0).isGreen } ? 0 : 1
  }

  /// Everything that the board says.
  var lines: [String] {
    if run.ending == .didNotBuild { return buildErrors }
    var lines = warnings.flatMap { terminal.wrap($0) + [""] } + (step == nil ? lessons.map(row) : [])
    if lessons.count == 1 { lines += steps.flatMap(details) }
    lines.append("")
    if run.ending == .crashed {
      lines += crash
    } else if !steps.isEmpty {
      lines += steps.allSatisfy(\.isGreen) ? green : nextTest
    }
    if step != nil { return Array(lines.drop(while: \.isEmpty)) }
    // The line to paste into a chat: `L1 ✔ · L2 ✔ · L3 4/11`.
    let chat = lessons.map { $0.title.replacing("Lesson ", with: "L") + " " + (count(of: $0).isGreen ? "✔" : count(of: $0).text) }
    return lines + ["", chat.joined(separator: " · ")]
  }

  private func count(of lesson: Lesson) -> (passed: Int, all: Int, text: String, isGreen: Bool) {
    let steps = run.steps(of: lesson)
    let passed = steps.reduce(0) { $0 + $1.passed }
    let all = steps.reduce(0) { $0 + $1.tests.count }
    return (passed, all, "\(passed)/\(all)", all > 0 && passed == all)
  }

  /// A lesson's number, name, bar, and how many of its tests pass. A narrow terminal has no bar.
  private func row(_ lesson: Lesson) -> String {
    let (passed, all, text, isGreen) = count(of: lesson)
    let full = all == 0 ? 0 : passed * 20 / all
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    let isNarrow = terminal.width < 60
    let name = Terminal.fit(lesson.name, isNarrow ? terminal.width - 12 : min(48, terminal.width - 35))
    return (Int(lesson.word) == nil ? "+" : lesson.word) + "  \(name)  "
      + (isNarrow ? "" : terminal.paint(bar, isGreen ? .green : .yellow) + "  ")
      + String(repeating: " ", count: max(0, 5 - text.count))
      + terminal.paint(text + (isGreen ? " ✔" : ""), isGreen ? .green : nil)
  }

  /// A step with each of its tests. A dot stands for a test that has not run, because an earlier one has failed.
  private func details(_ step: Step) -> [String] {
    let count =
      step.tests.allSatisfy { $0.state == .waiting } ? "waits for the steps before" : "\(step.passed)/\(step.tests.count)"
    return [""] + terminal.wrap("\(step.title) · \(count)", "", .bold)
      + step.tests.flatMap { test in
        let (mark, paint): (String, Terminal.Paint?) =
          test.hasFailed ? ("✘", .red) : test.state == .passed ? ("✔", .green) : ("·", nil)
        return terminal.wrap(test.name, "  \(mark) ", paint)
      }
  }

  /// The first failing test, and what to edit, read and run.
  private var nextTest: [String] {
    guard let step = steps.first(where: { !$0.isGreen }), let test = step.next else { return [] }
    let section = current.page.step(step.number)
    let isCoreGreen = self.step == nil && steps.allSatisfy { $0.isGreen || $0.isExtra }
    let remark = "The core steps of \(current.title) are green. The remaining steps are extra."
    var lines = isCoreGreen ? terminal.wrap(remark) + [""] : []
    lines += terminal.wrap("Next: \(current.title), \(section?.heading ?? step.title)", "", .bold)
    lines += terminal.wrap(test.name, "✘ ", .red)
    lines += test.complaints.first.map { says($0, test) } ?? ["  This test did not finish."]
    lines.append("")
    lines += terminal.wrap(current.page.exerciseFile(step: step.number) ?? current.files.first ?? "", "Edit  ")
    lines += terminal.wrap(current.pagePath + (section.map { ", section \"\($0.heading)\"" } ?? ""), "Read  ")
    guard let named = self.step else {
      return lines + ["Run   swift test -q --filter \(current.folder)", "Hint  swift run kata hint"]
    }
    let isAfterStep0 = run.tests.contains { $0.lesson == current.folder && $0.step == 0 }
    let filter = isAfterStep0 ? "'\(current.folder).Step[0\(named)]'" : "\(current.folder).Step\(named)"
    return lines + ["Run   swift test -q --filter \(filter)", "Hint  swift run kata hint \(current.word).\(named)"]
  }

  /// What a test says: first in the words of the lesson, then in those of the testing library, and then in code.
  private func says(_ complaint: Complaint, _ test: TestResult) -> [String] {
    let sentence = complaint.sentence.isEmpty ? [] : terminal.wrap(complaint.sentence, "  ")
    let technical = [complaint.expectation] + (complaint.file.isEmpty ? [] : ["at \(complaint.file):\(complaint.line)"])
    return sentence + technical.flatMap { terminal.wrap($0, "  ", .dim) } + code(of: test, to: complaint)
  }

  /// The test from its beginning to the line that complains: twelve lines at most.
  private func code(of test: TestResult, to complaint: Complaint) -> [String] {
    guard complaint.file.hasSuffix("/\(test.file)"), let text = text(complaint.file) else { return [] }
    let all = text.components(separatedBy: "\n")
    // What is expected stands on the line after the parenthesis.
    let isOpen = all.indices.dropFirst().contains(complaint.line) && all[complaint.line - 1].hasSuffix("(")
    let lines = all.prefix(complaint.line + (isOpen ? 1 : 0)).dropFirst(test.line - 1).drop { !$0.contains("func ") }
    let shown = lines.map { $0.isEmpty ? "" : "  " + $0 }
    return [""] + (shown.count > 12 ? [shown[0], "    …"] + shown.suffix(10) : shown)
  }

  private var green: [String] {
    if let step { return terminal.wrap("\(current.title), step \(step) is green.", "", .green) }
    let section = current.page.ending.map { ", section \"\($0.heading)\"" } ?? ""
    var lines = terminal.wrap("\(current.title) is green.", "", .green) + terminal.wrap(current.pagePath + section, "Read  ")
    if let next { lines.append("Next  swift run kata \(next.word)") }
    if exitCode == 0, lessons.count > 1 { lines += ["", "All lessons are green."] }
    return lines
  }
}
