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

  @Test("the exercise with a name comes last, and has its own folders, page, and filter")
  func findsReceipts() throws {
    let folder = try folder(exercises: [1], suites: [1])
    let files = ["Exercises/Receipts/A.swift", "Tests/Lessons/Receipts/YourPromises.swift"]
    for path in files { try folder.write("", to: path) }
    try folder.write("# Receipts: A class\n", to: "Lessons/Receipts.md")

    let repository = try Repository(above: folder.path)
    let receipts = try #require(try repository.lessons().last)

    #expect(repository.numbers == [1, receipts.number])
    #expect(receipts.files == files)
    #expect([receipts.name, receipts.title, receipts.filter] == ["A class", "Receipts", "Receipts\\."])
    #expect(TestID("Receipts.Step1Seams/usesTheDisk()/Step1Seams.swift:20:4")?.lesson == receipts.number)
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
