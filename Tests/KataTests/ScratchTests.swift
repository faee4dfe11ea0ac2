import Foundation
import Testing

@testable import kata

@Suite("The copy to try patches in")
struct ScratchTests {
  private let folder: TemporaryFolder
  private let scratch: Scratch
  private let environment = ProcessInfo.processInfo.environment
  private let file = "Solutions/Lesson1/A.swift"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("let package = 1\n", to: "Package.swift")
    try folder.write("exercise\n", to: "Exercises/Lesson1/A.swift")
    try folder.write("one\ntwo\nthree\n", to: file)
    try folder.write("suite\n", to: "Tests/Lessons/Lesson1/Step1.swift")
    try folder.write("spy\n", to: "Tests/Support/Spy.swift")
    try folder.write("let package = 2\n", to: "Tests/Package.swift")
    for link in ["Given", "Solutions"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/Tests/\(link)", withDestinationPath: link == "Given" ? "../Exercises/Given" : "../Solutions")
    }
    scratch = Scratch(
      repository: try Repository(above: folder.path), folder: "\(folder.path)/.build/kata/check/package", environment: environment
    )
    try scratch.sync(lessons: [1])
  }

  private func copied(_ path: String) -> String? { Files.text("\(scratch.folder)/\(path)") }

  @Test("it holds what the lessons need, and the links")
  func copies() {
    #expect(copied(file) == "one\ntwo\nthree\n")
    #expect(copied("Tests/Support/Spy.swift") == "spy\n")
    #expect(copied("Tests/Solutions/Lesson1/A.swift") == "one\ntwo\nthree\n")
    #expect(copied("Package.swift")?.hasPrefix("let package = 1\n\n// kata check") == true)
    #expect(copied("Tests/Package.swift")?.hasPrefix("let package = 2\n\n// kata check") == true)
  }

  @Test("its manifests build only the suites of the lessons that are checked")
  func narrows() throws {
    #expect(copied("Package.swift")?.contains(#"var needed: Set<String> = ["Lesson1"]"#) == true)
    #expect(copied("Tests/Package.swift")?.contains(#"var needed: Set<String> = ["Solution1Tests"]"#) == true)
  }

  @Test("a missing link is named")
  func missingLink() throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/Tests/Given")
    let problem = try #require(throws: Problem.self) { try scratch.sync(lessons: [1]) }

    #expect(problem.sentence.hasPrefix("Tests/Given should be a symbolic link"))
  }

  @Test("only files that differ are written, and those that are gone are removed")
  func syncsChanges() throws {
    let before = Files.stamp("\(scratch.folder)/\(file)")
    try folder.write("changed\n", to: "Tests/Support/Spy.swift")
    try folder.write("new\n", to: "Solutions/Lesson1/New.swift")
    try scratch.sync(lessons: [1])
    #expect(copied("Tests/Support/Spy.swift") == "changed\n" && copied("Solutions/Lesson1/New.swift") == "new\n")
    #expect(Files.stamp("\(scratch.folder)/\(file)") == before)

    try FileManager.default.removeItem(atPath: "\(folder.path)/Solutions/Lesson1/New.swift")
    try scratch.sync(lessons: [1])
    #expect(copied("Solutions/Lesson1/New.swift") == nil)
  }

  @Test("a patch changes the copy and not the work tree, and is taken back")
  func applies() throws {
    let patch = try patch("two")

    #expect(try scratch.apply(patch) == nil)
    #expect(copied(file) == "one\nTWO\nthree\n")
    #expect(Files.text("\(folder.path)/\(file)") == "one\ntwo\nthree\n")

    try scratch.sync("Solutions/Lesson1")
    #expect(copied(file) == "one\ntwo\nthree\n")
  }

  @Test("a patch is applied inside a git work tree as well, and in a hook")
  func appliesInWorkTree() throws {
    let git = try Child(
      ["git", "init", "--quiet", folder.path], environment: environment, output: "\(folder.path)/git.txt")
    #expect(try git.wait() == .exit(0))
    let hooked = environment.merging(["GIT_DIR": "\(folder.path)/.git"]) { $1 }
    let scratch = Scratch(repository: try Repository(above: folder.path), folder: scratch.folder, environment: hooked)

    #expect(try scratch.apply(try patch("two")) == nil)
    #expect(copied(file) == "one\nTWO\nthree\n")
  }

  @Test("a patch that no longer applies is said, and changes nothing")
  func refuses() throws {
    let fault = try scratch.apply(try patch("four"))

    #expect(fault?.hasPrefix("a does not apply to the solution any more: error: patch failed") == true)
    #expect(copied(file) == "one\ntwo\nthree\n")
  }

  @Test("no version of a file has a date in the same second as the one before")
  func datesDiffer() throws {
    var seconds: [Double] = []
    for _ in 1...3 {
      #expect(try scratch.apply(try patch("two")) == nil)
      seconds.append(Files.stamp("\(scratch.folder)/\(file)")?.modified.rounded(.down) ?? 0)
      try scratch.sync("Solutions/Lesson1")
      seconds.append(Files.stamp("\(scratch.folder)/\(file)")?.modified.rounded(.down) ?? 0)
    }
    #expect(Set(seconds).count == 6)
  }

  @Test("an alternative is laid over the solution, and is taken back")
  func appliesAlternative() throws {
    let path = "Tests/Alternatives/Lesson1/another"
    try folder.write("// Another way to count.\n", to: "\(path)/A.swift")
    try folder.write("// More of it.\n", to: "\(path)/B.swift")
    let variants = Variant.all(.alternative, ofLesson: 1, in: try Repository(above: folder.path))
    let variant = try #require(variants.first)

    #expect(try scratch.apply(variant) == nil)
    #expect(copied(file) == "// Another way to count.\n" && copied("Solutions/Lesson1/B.swift") == "// More of it.\n")

    try scratch.restore(variant)
    #expect(copied(file) == "one\ntwo\nthree\n" && copied("Solutions/Lesson1/B.swift") == nil)
  }

  private func patch(_ line: String) throws -> Variant {
    let text = """
      The second line shouts.

      --- a/\(file)
      +++ b/\(file)
      @@ -1,3 +1,3 @@
       one
      -\(line)
      +\(line.uppercased())
       three

      """
    try folder.write(text, to: "Tests/Impostors/Lesson1/a.patch")
    return Variant(patch: "\(folder.path)/Tests/Impostors/Lesson1/a.patch", lesson: 1, text: text)
  }
}
