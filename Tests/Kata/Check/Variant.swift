import Foundation

/// Another version of a solution: a plausible mistake, or another correct design.
struct Variant: Equatable {
  /// What a variant is for, and so where it is and what it must do to the suite.
  enum Kind: String, CaseIterable {
    /// A patch that must make the suite fail.
    case impostor = "Impostors"
    /// A folder with whole files that must leave the suite green.
    case alternative = "Alternatives"

    var area: CheckReport.Area { self == .impostor ? .impostors : .alternatives }
  }

  let kind: Kind
  let lesson: Int
  /// The path of the patch, or of the folder.
  let path: String
  /// What the mistake, or the design, is: the first line.
  let sentence: String
  /// The files that it changes, from the root of the package.
  let files: [String]

  /// `never-hops`
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// - Parameters:
  ///   - path: Where the patch is.
  ///   - text: What it says.
  init(patch path: String, lesson: Int, text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let named = lines.filter { $0.hasPrefix("--- ") || $0.hasPrefix("+++ ") }.compactMap { line -> String? in
      let path = line.dropFirst(4).split(separator: "\t").first ?? ""
      return path == "/dev/null" ? nil : String(path.drop { $0 != "/" }.dropFirst())
    }
    self.init(kind: .impostor, lesson: lesson, path: path, sentence: lines.first ?? "", files: Set(named).sorted())
  }

  /// - Parameters:
  ///   - path: Where the folder is.
  ///   - files: Its files, by name, each with its text.
  init(folder path: String, lesson: Int, files: [String: String]) {
    let first = files.keys.min().flatMap { files[$0] }?.split(separator: "\n").first ?? ""
    self.init(
      kind: .alternative, lesson: lesson, path: path, sentence: first.hasPrefix("// ") ? first.dropFirst(3) : "",
      files: files.keys.sorted().map { "Solutions/Lesson\(lesson)/\($0)" })
  }

  private init(kind: Kind, lesson: Int, path: String, sentence: Substring, files: [String]) {
    self.kind = kind
    self.lesson = lesson
    self.path = path
    self.sentence = sentence.trimmingCharacters(in: .whitespaces)
    self.files = files
  }

  /// What is wrong with the variant itself; `nil` if nothing is.
  var fault: String? {
    let isHeader = ["--- ", "diff ", "index ", "+++ "].contains { sentence.hasPrefix($0) }
    if isHeader || !sentence.contains(" ") { return "\(name) does not begin with a sentence that says what it is." }
    let folder = "Solutions/Lesson\(lesson)/"
    if files.isEmpty || !files.allSatisfy({ $0.hasPrefix(folder) && !$0.contains("..") }) {
      return "\(name) has to change files in \(folder), with paths such as a/\(folder)File.swift, and nothing else."
    }
    return nil
  }

  /// The variants of a lesson, by name.
  static func all(_ kind: Kind, ofLesson lesson: Int, in repository: Repository) -> [Variant] {
    let folder = repository.path("Tests/\(kind.rawValue)/Lesson\(lesson)")
    switch kind {
    case .impostor:
      return Files.below(folder).filter { $0.hasSuffix(".patch") }.map {
        Variant(patch: $0, lesson: lesson, text: Files.text($0) ?? "")
      }
    case .alternative:
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
      return names.map { "\(folder)/\($0)" }.map { path in
        let files = Files.below(path).map { (String($0.dropFirst(path.count + 1)), Files.text($0) ?? "") }
        return Variant(folder: path, lesson: lesson, files: Dictionary(uniqueKeysWithValues: files))
      }
    }
  }
}
