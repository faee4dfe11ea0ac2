import Foundation
import Testing

@testable import kata

@Suite("Every page")
struct EveryPageTests {
  let pages: [MarkdownPage]
  let repository: Repository

  init() throws {
    pages = try MarkdownPage.all.get()
    repository = Project.repository
  }

  @Test("links lead to files that exist")
  func links() {
    for page in pages {
      let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
      for link in page.links where !link.target.contains(":") && !link.target.hasPrefix("#") {
        let file = "\(folder)/\(link.target.prefix { $0 != "#" })"
        let parts = link.target.components(separatedBy: "#")
        let anchors = parts.count == 1 ? [] : repository.text(file)?.split(separator: "\n").filter { $0.hasPrefix("#") } ?? []
        let isThere = parts.count == 1 || anchors.contains { Page.anchor($0.drop { "# ".contains($0) }) == parts[1] }
        if !repository.exists(file) || !isThere { page.record("The link to \(link.target) leads nowhere.", line: link.line) }
      }
    }
  }

  @Test("commands work")
  func commands() throws {
    let suites = try Project.suites()
    for page in pages {
      for command in page.commands {
        if let fault = fault(in: command.text, suites) {
          page.record("`\(command.text.trimmingCharacters(in: .whitespaces))` does not work: \(fault).", line: command.line)
        }
      }
    }
  }

  /// Why a command does not work; `nil` if it does, or if it is none of ours.
  private func fault(in line: String, _ suites: [SuiteFile]) -> String? {
    // `LessonN`, `StepM` and `hint N` stand for any number.
    let example = line.replacing("LessonN", with: "Lesson1").replacing("StepM", with: "Step1").replacing("hint N", with: "hint 1")
    let words = example.split(separator: " ").prefix { !$0.hasPrefix("#") }.map { $0.filter { $0 != "'" && $0 != "\"" } }
    let paths = words.compactMap { $0.prefixMatch(of: /(?:Exercises|Solutions|Lessons|\.ci)\/[\w.\/-]+/).map { String($0.0) } }
    if let path = paths.first(where: { !repository.exists($0) }) { return "there is no \(path)" }

    let command = Array(words.drop { $0.contains(/^[A-Z_]+=/) })
    switch command.prefix(2) {
    case ["swift", "run"]:
      let arguments = command.dropFirst(3).filter { !$0.hasPrefix("[") }
      guard command.dropFirst(2).first == "kata", let asked = Command(arguments: arguments) else {
        return "there is no such command"
      }
      guard let word = asked.lesson else { return nil }
      guard let lesson = try? repository.lesson(word) else { return "there is no lesson \(word)" }
      return asked.step.map { lesson.page.step($0) == nil } == true ? "\(lesson.pagePath) has no such step" : nil
    case ["swift", "test"]:
      let options = zip(command, command.dropFirst())
      let proves = words.contains("KATA_PROOF=1")
      if command.contains("--package-path") { return "there is only one package" }
      if proves, !command.contains("--scratch-path") { return "it would undo the learner's build. Add `--scratch-path`" }
      let filters = options.filter { ["--filter", "--skip"].contains($0.0) }.map(\.1)
      return filters.first { !matches($0, suites, proves: proves) }.map { "no test matches \($0)" }
    default: return nil
    }
  }

  /// Whether a filter matches a test of the exercises, or of what must pass on a fresh clone.
  private func matches(_ filter: String, _ suites: [SuiteFile], proves: Bool) -> Bool {
    guard let pattern = try? Regex(filter) else { return false }
    let ids = suites.flatMap { suite in
      suite.tests.map { proves ? "\(suite.proof).\($0)" : "\(suite.lesson).\($0)" }
    }
    return ids.contains { $0.firstMatch(of: pattern) != nil }
  }

  @Test("Swift code also stands in a source file")
  func snippets() throws {
    let folders = [
      "Exercises", "Solutions", "Tests/Lessons", "Tests/Support", "Tests/SupportTests", "Tests/Isolation", "Tests/Contract",
    ]
    // What a mistake adds is compiled, too.
    let mistakes = try repository.files("Tests/Mistakes", "md").map { try Project.text($0).replacing(/(?m)^\+/, with: "") }
    let sources = try folders.flatMap { repository.files($0, "swift") }.map(Project.text).map(squeezed) + mistakes.map(squeezed)
    for page in pages {
      for fence in page.fences where fence.language == "swift" {
        // A line `…` stands for any number of lines.
        let blocks = squeezed(fence.text).split { ["…", "// …"].contains($0) }
        let isInSource = sources.contains { source in
          var rest = source[...]
          return blocks.allSatisfy { block in
            guard let range = rest.firstRange(of: block) else { return false }
            rest = rest[range.upperBound...]
            return true
          }
        }
        if !isInSource { page.record("The Swift code that begins here is in no source file.", line: fence.line + 1) }
      }
    }
  }

  @Test("quoted failures are at an expectation of their test")
  func quotes() throws {
    // Suites change, and line numbers with them: a learner should find no difference between the terminal and the page.
    let suites = try Project.suites()
    var count = 0
    for page in pages {
      for quote in page.text.matches(of: /✘ Test "(.+)" recorded an issue.* at (\w+)\.swift:(\d+):(\d+):(?s:.*?)\n↳ (.+)/) {
        count += 1
        let (line, column) = (Int(quote.3) ?? 0, Int(quote.4) ?? 0)
        let isThere = suites.contains { suite in
          guard suite.name == quote.2, suite.lines.indices.contains(line - 1) else { return false }
          // An expectation is a macro, or a function that takes a source location, which begins at its parenthesis.
          let character = suite.lines[line - 1].utf8.dropFirst(column - 1).first
          let start = suite.lines[..<(line - 1)].lastIndex { $0.contains("@Test(") }
          let test = start.map { suite.lines[$0...].prefix(2).joined() } ?? ""
          return test.contains("\"\(quote.1)\"") && (character == UInt8(ascii: "#") || character == UInt8(ascii: "("))
            && suite.lines.contains { $0.contains(quote.5) }
        }
        if !isThere {
          page.record(
            "\"\(quote.1)\" does not fail at \(quote.2).swift:\(line):\(column), or says something else. Quote the failure again.",
            line: page.line(of: quote.range.lowerBound))
        }
      }
    }
    #expect(count > 0, "No page quotes a failure in today's form, so this test has checked nothing.")
  }

  @Test("console commands print what the page says")
  func console() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for page in pages {
      for fence in page.fences where fence.language == "console" {
        for session in ("\n" + fence.text).components(separatedBy: "\n$ ") where !session.isEmpty {
          let command = session.prefix { $0 != "\n" }
          guard command.hasPrefix("grep ") || command.hasPrefix("git ") else {
            page.record("A console block runs `\(command)`. Only `$ grep` and `$ git` are allowed.", line: fence.line)
            continue
          }
          let output = folder.appending(path: "output.txt").path
          let environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
          try Child.run(["sh", "-c", String(command)], in: repository.root, environment: environment, output: output)
          let printed = squeezed(Repository.text(output) ?? "").joined(separator: ", ")
          let said = squeezed(String(session.dropFirst(command.count))).joined(separator: ", ")
          if printed != said {
            page.record("`\(command)` prints \"\(printed)\", not \"\(said)\".", line: fence.line)
          }
        }
      }
    }
  }

  /// The lines of a text that are not empty, with single spaces between their words.
  private func squeezed(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
  }

  @Test("the diffs on Lesson 5's page make the pull requests of its suite from our solution")
  func diffs() throws {
    /// The class in a file, without comments and access modifiers.
    func decorator(_ path: String) throws -> String {
      let text = try Project.text(path)
      let start = try #require(text.firstRange(of: /(package|private) final class/)).lowerBound
      let end = try #require(text[start...].firstRange(of: "\n}\n")).upperBound
      let lines = text[start..<end].split(separator: "\n", omittingEmptySubsequences: false)
      return lines.filter { !$0.contains(/^ *\/\//) }.joined(separator: "\n").replacing(/package\s|^private\s/, with: "")
    }
    let diffs = try Project.text("Lessons/Lesson5.md").matches(of: /(?s)\*\*Pull request (\d): .*?   ```diff\n(.*?)   ```/).map {
      ($0.1, $0.2.replacing(/(^|\n) {3}/) { $0.1 })
    }
    #expect(diffs.count == 4)
    for (number, diff) in diffs {
      let proposal = try decorator("Tests/Lessons/Lesson5/PullRequest\(number).swift")
      let name = proposal.contains("Logger") ? "Logger" : "PermanentBlock"
      var text = try decorator("Solutions/Lesson5/\(name)HTTPClientDecorator.swift")
      for hunk in diff.components(separatedBy: "@@\n") {
        let lines = hunk.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        func side(without sign: Character) -> String {
          lines.filter { $0.first != sign }.map { $0.dropFirst() + "\n" }.joined()
        }
        #expect(
          text.ranges(of: side(without: "+")).count == 1, "Pull request \(number): the lines before the change are not ours.")
        text = text.replacing(side(without: "+"), with: side(without: "-"))
      }
      #expect(text == proposal, "Pull request \(number): its diff leads to other code.")
    }
  }
}
