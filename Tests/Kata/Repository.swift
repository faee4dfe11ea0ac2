import Foundation

/// The package on disk: where it is, and which lessons it has.
///
/// A lesson is there when it has a folder of exercises and a suite. No number of lessons is written down here.
struct Repository: Equatable {
  /// The folder that holds Package.swift.
  let root: String
  /// The numbers of the lessons, in order.
  let lessons: [Int]

  /// Finds the package that a folder is in.
  ///
  /// - Parameter folder: Where to start; the folders above are searched too.
  /// - Throws: A ``Problem`` when there is none, or when a part of it is missing.
  init(above folder: String) throws {
    var candidate = URL(fileURLWithPath: folder).standardizedFileURL
    while !Repository.isRoot(candidate.path) {
      guard candidate.path != "/", !candidate.path.isEmpty else {
        throw Problem(
          "Here is no kata: neither this folder nor one above it holds Package.swift and Exercises. "
            + "Change to the folder that you have cloned or unpacked, and try again.",
          exitCode: .usage)
      }
      candidate = candidate.deletingLastPathComponent().standardizedFileURL
    }
    root = candidate.path
    let exercises = Repository.numbers(in: "\(root)/Exercises")
    let suites = Repository.numbers(in: "\(root)/Tests/Lessons")
    lessons = exercises.intersection(suites).sorted()
    if let lost = suites.subtracting(exercises).min() {
      throw Problem(
        "The folder Exercises/Lesson\(lost) is missing, so nothing can be built. "
          + "`git restore Exercises/Lesson\(lost)` brings it back; without git, copy it from a fresh download.")
    }
    if lessons.isEmpty {
      throw Problem(
        "There are no lessons here: Exercises and Tests/Lessons hold no folders called Lesson1, Lesson2 and so on.")
    }
  }

  /// Where something in the package is.
  func path(_ relative: String) -> String { "\(root)/\(relative)" }

  /// Whether there is a file or a folder at a path in the package.
  func exists(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: path(relative)) }

  /// A path without the part that leads to the package.
  func relative(_ path: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  /// Makes sure that a lesson exists.
  func check(lesson: Int) throws {
    guard !lessons.contains(lesson) else { return }
    let known =
      lessons.count == 1 ? "Lesson 1 is the only one." : "There are lessons \(lessons[0]) to \(lessons.last ?? 0)."
    throw Problem("There is no lesson \(lesson) yet. \(known)", exitCode: .usage)
  }

  /// The Swift files that a learner edits in a lesson.
  func exerciseFiles(ofLesson lesson: Int) -> [String] {
    Files.below("\(root)/Exercises/Lesson\(lesson)").filter { $0.hasSuffix(".swift") }.map(relative)
  }

  /// Exercise files that are not there. The solutions have files of the same names.
  var missingExercises: [String] {
    lessons.flatMap { lesson in
      let solutions = Files.below("\(root)/Solutions/Lesson\(lesson)").filter { $0.hasSuffix(".swift") }
      return solutions.map { "Exercises" + relative($0).dropFirst("Solutions".count) }.filter { !exists($0) }
    }
  }

  private static func isRoot(_ folder: String) -> Bool {
    let found = ["Package.swift", "Exercises", "Tests/Lessons"].map { (name: String) in
      FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }
    return found[0] && (found[1] || found[2])
  }

  private static func numbers(in folder: String) -> Set<Int> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(names.compactMap { $0.hasPrefix("Lesson") ? Int($0.dropFirst(6)) : nil })
  }
}
