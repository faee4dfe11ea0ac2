import Foundation
import Testing

@testable import kata

@Suite("Finding the package")
struct RepositoryTests {
  private func folder(exercises: [Int], suites: [Int]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    for number in exercises { try folder.write("", to: "Exercises/Lesson\(number)/A.swift") }
    for number in suites { try folder.write("", to: "Tests/Lessons/Lesson\(number)/Step1.swift") }
    return folder
  }

  @Test("the package is found from a folder deep inside")
  func findsRoot() throws {
    let folder = try folder(exercises: [1, 2, 10, 3], suites: [10, 1, 2])

    let repository = try Repository(above: "\(folder.path)/Exercises/Lesson1")

    #expect(repository.root == folder.path)
    #expect(repository.numbers == [1, 2, 10])
    #expect(try repository.lesson(1).files == ["Exercises/Lesson1/A.swift"])
  }

  @Test("a folder outside of the package is a problem")
  func outside() throws {
    let folder = try TemporaryFolder()
    let problem = try #require(throws: Problem.self) { try Repository(above: folder.path) }

    #expect(problem.sentence.hasPrefix("There is no kata here:") && problem.exitCode == .usage)
  }

  @Test("a removed folder is outside of the package")
  func removed() throws {
    #expect(throws: Problem.self) { try Repository(above: "") }
  }

  @Test("a lesson without its exercise is a problem")
  func lostExercise() throws {
    let folder = try folder(exercises: [1], suites: [1, 2])
    let problem = try #require(throws: Problem.self) { try Repository(above: folder.path) }

    #expect(problem.sentence.hasPrefix("The folder Exercises/Lesson2 is missing") && problem.sentence.contains("git restore"))
  }

  @Test("an unknown number is a problem that names the lessons that exist")
  func unknownNumber() throws {
    let folder = try folder(exercises: [1, 2], suites: [1, 2])
    let repository = try Repository(above: folder.path)
    let problem = try #require(throws: Problem.self) { try repository.lesson(3) }

    #expect(problem == Problem("There is no lesson 3. The lessons are 1 and 2.", exitCode: .usage))
  }

  @Test("an exercise file that only the solution has is missing")
  func missingFile() throws {
    let folder = try folder(exercises: [1], suites: [1])
    try folder.write("", to: "Solutions/Lesson1/A.swift")
    try folder.write("", to: "Solutions/Lesson1/B.swift")

    #expect(try Repository(above: folder.path).missingExercises == ["Exercises/Lesson1/B.swift"])
  }

  @Test(
    "both manifests describe the same lessons",
    arguments: ["let lessonCount = ", "let composedLessons = ", "swiftLanguageMode", "unsafeFlags([\"-index"])
  func manifestsAgree(start: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let lines = try ["Package.swift", "Tests/Package.swift"].map { path in
      let text = try #require(Files.text(root.appending(path: path).path))
      return try #require(text.split(separator: "\n").first { $0.contains(start) })
    }
    #expect(lines[0] == lines[1])
  }

  @Test("copies of a file in several suites are equal")
  func copiesAreEqual() throws {
    let lessons = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Lessons")
    var count = 0
    for path in Files.below(lessons.path) {
      let text = try #require(Files.text(lessons.appending(path: path).path))
      guard text.contains("// These copies have to be equal: ") else { continue }
      count += 1
      for copy in text.matches(of: /Lesson\d\/\w+\.swift/).map({ String($0.0) }) {
        #expect(Files.text(lessons.appending(path: copy).path) == text, "\(path) and \(copy) have to be equal.")
      }
    }
    #expect(count == 8)
  }

  // Swift Testing prints such a comment with each failure, with the arrow that a learner reads first.
  @Test("no comment stands directly above a test of a lesson")
  func commentsAreInside() throws {
    let lessons = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Lessons")
    for path in Files.below(lessons.path) where path.hasSuffix(".swift") {
      let text = try #require(Files.text(lessons.appending(path: path).path))
      #expect(!text.contains(/\/\/[^\n]*\n *@(Test|Suite)\b/), "\(path): Move the comment into the function.")
    }
  }

  @Test("the diffs on Lesson 5's page make the pull requests of its suite from our solution")
  func diffsAreReal() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The class in a file, without comments and access modifiers.
    func decorator(_ path: String) throws -> String {
      let text = try #require(Files.text(root.appending(path: path).path))
      let lines = try text[#require(text.firstRange(of: /(package|private) final class/)).lowerBound...].split(
        separator: "\n", omittingEmptySubsequences: false)
      return lines.filter { !$0.contains(/^ *\/\//) }.joined(separator: "\n").replacing(/package\s|^private\s/, with: "")
    }
    let page = try #require(Files.text(root.appending(path: "Lessons/Lesson5.md").path))
    let diffs = page.matches(of: /(?s)   ```diff\n(.*?)   ```/).map { $0.1.replacing(/(^|\n) {3}/) { $0.1 } }
    #expect(diffs.count == 6)
    for (number, diff) in zip(1..., diffs) {
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

  @Test("a save changes the stamp of a file")
  func stamps() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", to: "Exercises/A.swift")
    let before = Files.stamps(below: [folder.path])
    try folder.write("longer", to: "Exercises/A.swift")
    let after = Files.stamps(below: [folder.path])

    #expect(before.count == 1 && before != after)
    #expect(Files.stamps(below: ["\(folder.path)/nowhere"]).isEmpty)
  }

  @Test("what an editor writes for itself is not watched")
  func visibleFiles() {
    #expect(["Lesson1/A.swift", "Lesson1.md"].allSatisfy(Files.isVisibleText))
    #expect(![".A.swift.swp", "Lesson1/.#A.swift", ".idea/A.swift", "A.swift~", "4913"].contains(where: Files.isVisibleText))
  }

  @Test("a text has no byte order mark and no carriage returns")
  func otherSystems() throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{FEFF}# Lesson 1: a\r\n\r\n## Step 1: b\r\n", to: "Lesson1.md")

    #expect(Files.text("\(folder.path)/Lesson1.md") == "# Lesson 1: a\n\n## Step 1: b\n")
  }
}
