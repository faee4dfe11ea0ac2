import Foundation

/// The package on disk.
struct Repository: Equatable {
  /// The folder that holds Package.swift.
  let root: String
  /// The numbers of the lessons, in order: those with a suite.
  let numbers: [Int]

  /// Finds the package that a folder belongs to.
  ///
  /// - Parameter folder: Where to start. The folders above are searched as well.
  /// - Throws: A ``Problem`` if there is no package, or if a part of it is missing.
  init(above folder: String) throws {
    // The compiler and the package manager print paths without links, so the root has to be such a path.
    let start = realpath(folder, nil)
    defer { free(start) }
    var candidate = start.map { URL(fileURLWithPath: String(cString: $0)) } ?? URL(fileURLWithPath: "/")
    while Repository.numbers(in: "\(candidate.path)/Tests/Lessons").isEmpty {
      guard candidate.path != "/" else {
        throw Problem(
          "There is no kata here: neither this folder nor any folder above it contains Tests/Lessons. "
            + "Change to the folder that you cloned or unpacked, and try again.",
          exitCode: .usage)
      }
      candidate.deleteLastPathComponent()
    }
    root = candidate.path
    numbers = Repository.numbers(in: "\(root)/Tests/Lessons")
    if let lost = Set(numbers).subtracting(Repository.numbers(in: "\(root)/Exercises")).min() {
      throw Problem(
        "The folder Exercises/\(Lesson.folder(lost)) is missing, so nothing can be built. "
          + "Run `git restore Exercises/\(Lesson.folder(lost))`; without git, copy the folder from a fresh download.")
    }
  }

  /// Where something in the package is.
  func path(_ relative: String) -> String { "\(root)/\(relative)" }

  /// Whether there is a file or a folder at a path in the package.
  func exists(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: path(relative)) }

  /// The Swift files below a folder, as sorted paths from the root of the package.
  func swiftFiles(_ folder: String) -> [String] {
    Files.below(path(folder)).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  /// Whether learners edit a file: an exercise, or a file for their own tests.
  static func isLearners(_ path: String) -> Bool {
    path.contains(
      /^Exercises\/(?!Given\/).*\.swift$|^Tests\/Lessons\/\w+\/(Step\d+)?Your(Tests|Promises)\.swift$/)
  }

  /// A lesson, as it is now.
  ///
  /// - Throws: A ``Problem`` if there is no such lesson.
  func lesson(_ number: Int) throws -> Lesson {
    guard numbers.contains(number) else {
      throw Problem(
        "There is no lesson \(number). The lessons are \(numbers.map(Lesson.word).formattedList).", exitCode: .usage)
    }
    let files = ["Exercises", "Tests/Lessons"].flatMap { swiftFiles("\($0)/\(Lesson.folder(number))") }.filter(
      Repository.isLearners)
    let stamps = files.map { ($0, Files.stamp(path($0)) ?? Stamp(modified: 0, size: 0)) }
    return Lesson(
      number: number, stamps: Dictionary(uniqueKeysWithValues: stamps),
      page: Files.text(path("Lessons/\(Lesson.folder(number)).md")).map { Page($0) })
  }

  /// The lessons that a command is about, as they are now: the named one, or all.
  func lessons(_ number: Int? = nil) throws -> [Lesson] { try (number.map { [$0] } ?? numbers).map(lesson) }

  /// The exercise files that are not there. The solutions have files of the same names.
  var missingExercises: [String] {
    swiftFiles("Solutions").map { "Exercises" + $0.dropFirst("Solutions".count) }.filter { !exists($0) }
  }

  private static func numbers(in folder: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap(Lesson.number).sorted()
  }
}

/// A lesson, as it was on disk at some moment.
struct Lesson: Equatable {
  /// Its number, or that of an exercise with a name.
  let number: Int
  /// The files to edit, from the root of the package, each with its stamp.
  let stamps: [String: Stamp]
  /// `nil` if the page cannot be read.
  let page: Page?

  /// The files to edit, in order.
  var files: [String] { stamps.keys.sorted() }
  /// `The manager that does everything`
  var name: String { page?.name ?? title }
  /// `Lesson 1`
  var title: String { Lesson.title(number) }
  /// `Lesson1`, the name of its folders and of its suite's module.
  var folder: String { Lesson.folder(number) }
  /// The page's path from the root of the package.
  var pagePath: String { "Lessons/\(folder).md" }
  /// The filter that runs its suite, and no other.
  var filter: String { "\(folder)\\." }
  /// The filter that runs all suites.
  static let filterOfAll = (["Lesson"] + named).joined(separator: "|")
}

extension Lesson {
  /// The exercises that follow the lessons. They have names and no numbers, so that `--filter Lesson1` finds one lesson. Each has a
  /// number here: 101 is the first.
  static let named = ["Middleware", "Receipts"]

  /// Whether a number stands for an exercise with a name.
  static func isNamed(_ number: Int) -> Bool { named.indices.contains(number - 101) }

  /// `Lesson1`, or `Receipts`
  static func folder(_ number: Int) -> String { isNamed(number) ? named[number - 101] : "Lesson\(number)" }

  /// `Lesson 1`, or `Receipts`
  static func title(_ number: Int) -> String { isNamed(number) ? folder(number) : "Lesson \(number)" }

  /// The lesson that a folder or a module belongs to.
  static func number(_ folder: String) -> Int? {
    named.firstIndex(of: folder).map { 101 + $0 } ?? TestID.number(in: folder, after: "Lesson")
  }

  /// What a learner types for a lesson: `1`, or `receipts`.
  static func word(_ number: Int) -> String { isNamed(number) ? folder(number).lowercased() : "\(number)" }

  /// The lesson that a learner means by a word.
  static func number(named word: some StringProtocol) -> Int? { number(word.capitalized) ?? Int(word) }
}
