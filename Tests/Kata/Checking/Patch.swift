import Foundation

/// A change to a solution: a believable mistake, or another right design.
struct Patch: Equatable {
  /// What a patch is for, and so where it lives and what it must do to the suite.
  enum Kind: String, CaseIterable {
    /// Must make the suite fail.
    case impostor = "Impostors"
    /// Must leave the suite green.
    case alternative = "Alternatives"

    var area: Fault.Area { self == .impostor ? .impostors : .alternatives }
  }

  /// The file's name without its ending: `never-hops`.
  let name: String
  let path: String
  let lesson: Int
  let kind: Kind
  /// The first line: what the mistake, or the design, is.
  let sentence: String
  /// The files that it changes, from the root of the package.
  let files: [String]

  /// - Parameters:
  ///   - path: Where the file is.
  ///   - lesson: The lesson whose folder it lies in.
  ///   - kind: The folder above that.
  ///   - text: The content.
  init(path: String, lesson: Int, kind: Kind, text: String) {
    self.path = path
    self.lesson = lesson
    self.kind = kind
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    sentence = lines.first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    let named = lines.filter { $0.hasPrefix("--- ") || $0.hasPrefix("+++ ") }.compactMap { line -> String? in
      let path = line.dropFirst(4).split(separator: "\t").first ?? ""
      return path == "/dev/null" ? nil : String(path.drop { $0 != "/" }.dropFirst())
    }
    files = Set(named).sorted()
  }

  /// What is wrong with the file itself; `nil` when nothing is.
  var fault: String? {
    let isHeader = ["--- ", "diff ", "index ", "+++ "].contains { sentence.hasPrefix($0) }
    if isHeader || !sentence.contains(" ") {
      return "The patch \(name) does not begin with a sentence that says what it is."
    }
    let folder = "Solutions/Lesson\(lesson)/"
    if files.isEmpty || !files.allSatisfy({ $0.hasPrefix(folder) && !$0.contains("..") }) {
      return
        "The patch \(name) has to change files in \(folder), with paths such as a/\(folder)File.swift, and nothing else."
    }
    return nil
  }

  /// The patches of a lesson, by name.
  static func all(_ kind: Kind, ofLesson lesson: Int, in repository: Repository) -> [Patch] {
    let files = Files.below(repository.path("Tests/\(kind.rawValue)/Lesson\(lesson)")).filter { $0.hasSuffix(".patch") }
    return files.map { Patch(path: $0, lesson: lesson, kind: kind, text: Files.text($0) ?? "") }
  }
}
