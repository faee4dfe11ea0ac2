import Foundation
import Testing

@testable import kata

/// The project on disk.
enum Project {
  static let repository = Repository()

  /// The text of a file, without carriage returns.
  static func text(_ path: String) throws -> String {
    try #require(repository.text(path), "\(path) cannot be read.")
  }

  /// The suites of all lessons, one for each file. A suite has the name of its file.
  static func suites() throws -> [SuiteFile] {
    try repository.files("Tests/Lessons", "swift").compactMap(SuiteFile.init)
  }
}

extension Repository {
  /// Whether there is a file or a folder at a path in the package.
  func exists(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: path(relative)) }
}

extension Page.Section {
  /// Whether the step is an extra one: `Step 6: When the server says 401 (extra)`.
  var isExtra: Bool { heading.hasSuffix(" (extra)") }
}

extension Page {
  /// Whether its last section has a list of questions.
  var hasQuestions: Bool { ending?.text.contains("\n\n- ") == true }
}

/// A file of a lesson's suite.
struct SuiteFile {
  let path: String
  /// `Lesson1`, or `Receipts`
  let lesson: String
  /// `Step2Authorize`
  let name: String
  let lines: [String]
  /// `Step 6: when the server says 401 (extra)`; `nil` if the file declares no suite.
  let title: String?
  /// What a filter matches: `Step2Authorize/refreshesFirst()`.
  let tests: [String]

  init?(_ path: String) throws {
    guard let match = path.wholeMatch(of: /Tests\/Lessons\/(\w+)\/(?:.*\/)?(\w+)\.swift/) else { return nil }
    (self.path, lesson, name) = (path, String(match.1), String(match.2))
    let text = try Project.text(path)
    lines = text.components(separatedBy: "\n")
    title = text.firstMatch(of: /@Suite\("(.*?)"/).map { String($0.1) }
    tests = text.matches(of: /func (\w+)\(/).map { "\(match.2)/\($0.1)()" }
  }

  /// The module of the suite that judges our solution: `Solution1Tests`.
  var proof: String { "Solution\(lesson.replacing("Lesson", with: ""))Tests" }

  /// 2 for `Step2Authorize`.
  var step: Int? { name.prefixMatch(of: /Step(\d)/).flatMap { Int($0.1) } }
}

/// A page, in Markdown.
struct MarkdownPage: CustomTestStringConvertible {
  /// Code between fences.
  struct Fence {
    /// `swift`, `sh`, `console`, or nothing.
    let language: String
    let text: String
    /// The line of the page on which the fence begins.
    let line: Int
  }

  let path: String
  let text: String

  init(_ path: String) throws {
    self.path = path
    text = try Project.text(path)
  }

  var testDescription: String { path }

  /// The pages that people read.
  static let all = Result {
    let lessons = ["Lessons", "Tests/Mistakes"].flatMap { Project.repository.files($0, "md") }
    return try (["README.md", ".github/CONTRIBUTING.md", ".github/TOOLCHAIN.md", "Exercises/AGENTS.md"] + lessons).map(
      MarkdownPage.init)
  }

  private static var fence: Regex<(Substring, Substring, Substring)> {
    /^[ \t]*```(\w*)[^\n]*\n(?s:(.*?))^[ \t]*```[ \t]*$/.anchorsMatchLineEndings()
  }

  /// Code between fences.
  var fences: [Fence] {
    text.matches(of: Self.fence).map {
      Fence(language: String($0.1), text: String($0.2), line: line(of: $0.range.lowerBound))
    }
  }

  /// The page with empty lines instead of fences.
  private var prose: String { text.replacing(Self.fence) { String(repeating: "\n", count: $0.0.count { $0 == "\n" }) } }

  /// The targets of the links, without those in code.
  var links: [(target: String, line: Int)] {
    let prose = prose.replacing(/`[^`\n]*`/, with: "code")
    return prose.matches(of: /\]\(([^)\s]+)\)/).map { (String($0.1), line(of: $0.range.lowerBound, in: prose)) }
  }

  /// The commands: each line of a fence for a shell or without a language, and code in a sentence.
  var commands: [(text: String, line: Int)] {
    let fenced = fences.filter { ["sh", ""].contains($0.language) }.flatMap { fence in
      zip(fence.text.components(separatedBy: "\n"), (fence.line + 1)...)
    }
    let prose = prose
    return fenced + prose.matches(of: /`([^`\n]+)`/).map { (String($0.1), line(of: $0.range.lowerBound, in: prose)) }
  }

  func line(of index: String.Index, in other: String? = nil) -> Int { (other ?? text)[..<index].count { $0 == "\n" } + 1 }

  /// Reports something that is wrong.
  func record(_ fault: String, line: Int? = nil) {
    Issue.record("\(path)\(line.map { ":\($0)" } ?? ""): \(fault)")
  }
}
