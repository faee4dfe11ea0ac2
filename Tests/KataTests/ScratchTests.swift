import Foundation
import Testing

@testable import kata

@Suite("The copy in which variants are tried")
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
    scratch = try ScratchTests.scratch(folder, environment)
    try scratch.sync(lessons: [1])
  }

  private static func scratch(_ folder: TemporaryFolder, _ environment: [String: String]) throws -> Scratch {
    let terminal = Terminal(environment: environment)
    return Scratch(
      kata: Kata(repository: try Repository(above: folder.path), environment: environment, terminal: terminal), worker: 1)
  }

  private func copied(_ path: String) -> String? { Files.text("\(scratch.folder)/\(path)") }

  @Test("the copy contains what the lessons need, and the links")
  func copies() {
    #expect(copied(file) == "one\ntwo\nthree\n")
    #expect(copied("Tests/Support/Spy.swift") == "spy\n")
    #expect(copied("Tests/Solutions/Lesson1/A.swift") == "one\ntwo\nthree\n")
    #expect(copied("Package.swift")?.hasPrefix("let package = 1\n\n// kata check") == true)
    #expect(copied("Tests/Package.swift")?.hasPrefix("let package = 2\n\n// kata check") == true)
  }

  @Test("the manifests of the copy build only the lessons to check")
  func narrows() throws {
    #expect(copied("Package.swift")?.contains("let checked: [Int] = [1]\n") == true)
    #expect(copied("Tests/Package.swift")?.contains("let checked: [Int] = [1]\n") == true)
  }

  @Test("only files that differ are written")
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

  @Test("a patch changes the copy only, and can be taken back")
  func applies() throws {
    let patch = try patch("two")

    #expect(try scratch.apply(patch) == nil)
    #expect(copied(file) == "one\nTWO\nthree\n")
    #expect(Files.text("\(folder.path)/\(file)") == "one\ntwo\nthree\n")

    try scratch.sync("Solutions/Lesson1")
    #expect(copied(file) == "one\ntwo\nthree\n")
  }

  @Test("a patch is applied inside a git work tree and in a hook")
  func appliesInWorkTree() throws {
    let git = ["git", "init", "--quiet", folder.path]
    #expect(try Child.run(git, environment: environment, output: "\(folder.path)/git.txt").isFine)
    let hook = ["GIT_DIR": "\(folder.path)/.git", "GIT_WORK_TREE": folder.path, "GIT_PREFIX": "Tests/"]
    let scratch = try ScratchTests.scratch(folder, environment.merging(hook) { $1 })

    #expect(try scratch.apply(try patch("two")) == nil)
    #expect(copied(file) == "one\nTWO\nthree\n")
  }

  @Test("a patch that no longer applies is reported and changes nothing")
  func rejects() throws {
    let fault = try scratch.apply(try patch("four"))

    #expect(fault?.hasPrefix("a no longer applies to the solution: error: patch failed") == true)
    #expect(copied(file) == "one\ntwo\nthree\n")
  }

  @Test("two versions of a file never have dates in the same second")
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

  @Test("an alternative replaces files of the solution, and can be taken back")
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
    return Variant(.impostor, lesson: 1, path: "\(folder.path)/Tests/Impostors/Lesson1/a.patch")
  }
}
