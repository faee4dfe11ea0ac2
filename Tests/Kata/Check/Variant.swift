import Foundation

/// Another version of a solution, or of the tests that a learner writes: a plausible mistake, or another correct design.
struct Variant: Equatable {
  /// What a variant is for, and so where it is and what it must do to the suite.
  enum Kind: String, CaseIterable {
    /// A patch that must make the suite fail.
    case impostor = "Impostors"
    /// A folder with whole files that must leave the suite green.
    case alternative = "Alternatives"
  }

  let kind: Kind
  let lesson: Int
  /// The path of the patch, or of the folder.
  let path: String
  /// What the mistake, or the design, is: the first line. Empty unless an empty line follows.
  let sentence: String
  /// The files that it changes, from the root of the package.
  let files: [String]

  /// `never-hops`
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// The last step that it passes, for our state in the middle of a lesson: 2 for `after-step-2`.
  var lastStep: Int? { TestID.number(in: name, after: "after-step-") }

  /// Reads a patch or a folder.
  init(_ kind: Kind, lesson: Int, path: String) {
    self.kind = kind
    self.lesson = lesson
    self.path = path
    let sources = kind == .impostor ? [] : Files.below(path)
    let text = Files.text(sources.first.map { "\(path)/\($0)" } ?? path) ?? ""
    let changed = text.matches(of: /^(?:---|\+\+\+) [ab]\/(\S+)/.anchorsMatchLineEndings()).map { String($0.1) }
    let start = kind == .impostor ? /([^-\n].*)\n\n/ : /\/\/ (.*)\n\n/
    sentence = (text.prefixMatch(of: start)?.1).map(String.init) ?? ""
    let folders = Variant.folders(ofLesson: lesson)
    files = kind == .impostor ? Set(changed).sorted() : sources.map { folders[$0.hasPrefix("Step") ? 1 : 0] + $0 }
  }

  /// Where variants may change something: our solution, and our tests where learners write tests.
  static func folders(ofLesson lesson: Int) -> [String] {
    ["Solutions/Lesson\(lesson)/", "Tests/Lessons/Lesson\(lesson)/Reference/"]
  }

  /// What is wrong with the variant itself; `nil` if nothing is.
  var fault: String? {
    let folders = Variant.folders(ofLesson: lesson)
    let folder = folders[0]
    if files.isEmpty || !files.allSatisfy({ file in folders.contains { file.hasPrefix($0) } && !file.contains("..") }) {
      return "\(name) must change only files in \(folder). Its paths should look like a/\(folder)File.swift."
    }
    if !sentence.contains(" ") || sentence.hasPrefix("diff ") {
      return kind == .impostor
        ? "\(name).patch should begin with a sentence that describes the mistake, followed by an empty line."
        : "\(name)/\(files[0].split(separator: "/").last ?? "") should begin with a comment of one line that describes the design, "
          + "followed by an empty line. It is the alphabetically first file in its folder."
    }
    return nil
  }

  /// The variants of a lesson, by name.
  static func all(_ kind: Kind, ofLesson lesson: Int, in repository: Repository) -> [Variant] {
    let folder = repository.path("Tests/\(kind.rawValue)/Lesson\(lesson)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { Variant(kind, lesson: lesson, path: "\(folder)/\($0)") }
  }
}
