import Foundation

/// The package on disk.
struct Repository {
  /// The folder that holds Package.swift. kata has been built from a file in it.
  var root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path

  func path(_ relative: String) -> String { "\(root)/\(relative)" }

  /// The text of a file of the package; `nil` if it cannot be read.
  func text(_ relative: String) -> String? { Repository.text(path(relative)) }

  /// The text of a file, with `\n` at the end of each line; `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self).replacing("\r\n", with: "\n") }
  }

  /// The files below a folder with an extension, as sorted paths from the root. An editor's hidden files are left out.
  func files(_ folder: String, _ fileExtension: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path(folder))?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      name.hasSuffix(".\(fileExtension)") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted().map { "\(folder)/\($0)" }
  }

  /// When a file was saved, in seconds since 1970; 0 if there is no such file.
  func date(_ relative: String) -> Double {
    let date = try? FileManager.default.attributesOfItem(atPath: path(relative))[.modificationDate] as? Date
    return date?.timeIntervalSince1970 ?? 0
  }

  /// Whether learners edit a file: an exercise, or a file for their own tests.
  static func isLearners(_ path: String) -> Bool {
    path.contains(/^Exercises\/(?!Given\/).*\.swift$|^Tests\/Lessons\/\w+\/(YourTests|OnYourOwn)\.swift$/)
  }

  /// All lessons, as they are now: first those with a number, and then those with a name. Each has a solution.
  var lessons: [Lesson] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path("Solutions"))) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { folder in
      let files = ["Exercises", "Tests/Lessons"].flatMap { self.files("\($0)/\(folder)", "swift") }.filter(Repository.isLearners)
      let page = text("Lessons/\(folder).md") ?? ""
      // Our solution may have a file of its own. What learners edit, the page names.
      let solved = self.files("Solutions/\(folder)", "swift").map { $0.replacing("Solutions/", with: "Exercises/") }
      let missing = solved.filter { !files.contains($0) && page.contains($0) }
      return Lesson(
        folder: folder, files: files, missing: missing, edited: files.map(date).max() ?? 0,
        page: Page(page))
    }
  }

  /// The lesson that was named.
  ///
  /// - Parameter word: What a learner types: `1`, or `receipts`.
  /// - Throws: A ``Problem`` if there is no such lesson.
  func lesson(_ word: String) throws -> Lesson {
    let lessons = lessons
    guard let lesson = lessons.first(where: { $0.word == word }) else {
      throw Problem(
        "There is no command or lesson \"\(word)\". The lessons are \(lessons.map(\.word).joined(separator: ", ")). "
          + "For the commands, see swift run kata help.", exitCode: 64)
    }
    return lesson
  }
}

/// A lesson, as it was on disk at some moment.
struct Lesson: Equatable {
  /// `Lesson1`, or `Receipts`: the name of its folders, of its page, and of its suite's module.
  let folder: String
  /// The files to edit, from the root of the package.
  let files: [String]
  /// The files that the solution has, and the exercise has not.
  var missing: [String] = []
  /// When the last of them was saved, in seconds since 1970.
  let edited: Double
  let page: Page

  /// `The manager that does everything`
  var name: String { page.name.isEmpty ? title : page.name }
  /// `Lesson 1`, or `Receipts`
  var title: String { Lesson.title(folder) }
  /// What a learner types for it: `1`, or `receipts`.
  var word: String { folder.replacing("Lesson", with: "").lowercased() }
  /// The filter that runs its suite, and no other.
  var filter: String { "^\(folder)\\." }
  var pagePath: String { "Lessons/\(folder).md" }

  static func title(_ folder: String) -> String { folder.replacing("Lesson", with: "Lesson ") }
}
