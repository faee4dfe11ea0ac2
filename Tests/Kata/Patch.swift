import Foundation

/// A change to a file of our solution, with a sentence about what is wrong with it, or why nothing is: a card of `kata review`.
struct Patch: Equatable {
  /// From the root of the package.
  let path: String
  /// The folder of its lesson: `Lesson3`, or `Receipts`.
  let lesson: String
  let sentence: String
  /// The file that it changes, from the root of the package.
  let file: String
  /// The lines of the whole file, each behind a plus sign, a minus sign, or a space.
  private let lines: [String]

  /// Whether it may be merged. The wrong ones are among the impostors.
  var isHarmless: Bool { path.hasPrefix("Tests/Alternatives/") }
  /// Where it begins. Two changes of the same place can answer each other.
  var spot: String { "\(file) \(changed.first ?? 0)" }
  private var changed: [Int] { lines.indices.filter { !lines[$0].hasPrefix(" ") } }

  /// Reads a patch.
  ///
  /// - Parameters:
  ///   - path: Where it is, from the root of the package.
  ///   - text: Reads a file of the package.
  /// - Returns: `nil` if it is no card: it changes tests, or several files, or it does not apply.
  init?(_ path: String, text: (String) -> String?) {
    guard let parts = text(path)?.components(separatedBy: "\n@@ -"), parts.count > 1,
      let file = parts[0].wholeMatch(of: /(?s).*?\n--- a\/(.*)\n\+\+\+ b\/(.*)/).flatMap({ $0.1 == $0.2 ? String($0.1) : nil }),
      let lesson = file.prefixMatch(of: /Solutions\/(\w+)\//)?.1, let old = text(file)?.components(separatedBy: "\n")
    else { return nil }
    var lines: [String] = []
    var next = 0
    for part in parts.dropFirst() {
      let hunk = part.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("\\") }.map(String.init)
      let before = hunk.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) }
      // The file may have changed elsewhere. As git does, this takes the nearest place that has the same lines.
      let places = old.indices.dropFirst(next).filter { old[$0...].starts(with: before) }
      guard let line = Int(part.prefix { $0.isNumber }), let start = places.min(by: { abs($0 + 1 - line) < abs($1 + 1 - line) })
      else { return nil }
      lines += old[next..<start].map { " " + $0 } + hunk
      next = start + before.count
    }
    self.path = path
    self.lesson = String(lesson)
    self.file = file
    sentence = String(parts[0].prefix { $0 != "\n" })
    self.lines = lines + old[next...].dropLast().map { " " + $0 }
  }

  /// A card fills at most so many rows of 80 columns. With its title and the question, that is one screen.
  static let rows = 40

  /// The change, with as many lines around it as a screen has room for, so that the length says nothing.
  var shown: [String] {
    // Without the declarations that the change is in, and what their type stores, few changes can be judged.
    let declarations = declarations
    for frame in [declarations.union(stored(behind: declarations)), declarations] {
      for around in (2...Patch.rows).reversed() {
        let shown = shown(around: around, frame)
        if Patch.rows(of: shown) <= Patch.rows { return shown }
      }
    }
    return []
  }

  /// Whether a screen has room for it.
  var fits: Bool { Patch.rows(of: shown(around: 2, declarations)) <= Patch.rows }

  private static func rows(of lines: [String]) -> Int { lines.reduce(0) { $0 + 1 + $1.count / 81 } }

  /// The changed lines, some lines around each, and others. Dots stand for what is left out.
  private func shown(around: Int, _ others: Set<Int>) -> [String] {
    let near = changed.flatMap { max(0, $0 - around)...min(lines.count - 1, $0 + around) }
    let indices = others.union(near).sorted()
    return zip(indices, [-1] + indices).flatMap { index, previous in (index - previous > 1 ? ["  …"] : []) + [lines[index]] }
  }

  /// The lines that begin the declarations and blocks around the changed lines.
  private var declarations: Set<Int> {
    var found: Set<Int> = []
    for line in changed {
      var limit = indentation(line)
      var isSignature = false
      for index in (0..<line).reversed() where indentation(index) < limit || isSignature {
        found.insert(index)
        guard indentation(index) < limit else { continue }
        // What ends here has begun above, with the same indentation: a branch before `} else {`, or a signature of several lines.
        isSignature = lines[index].contains(/^ *\)/)
        limit = indentation(index) + (isSignature || lines[index].contains(/^ *}/) ? 1 : 0)
      }
    }
    return found
  }

  /// The properties of the type that the outermost declaration begins.
  private func stored(behind declarations: Set<Int>) -> [Int] {
    guard let type = declarations.min() else { return [] }
    let body = lines.indices.dropFirst(type + 1).prefix { indentation($0) > 0 }
    return body.filter { indentation($0) == 2 && lines[$0].contains(#/ (let|var) /#) }
  }

  /// How far a line is indented. An empty line belongs to what is around it.
  private func indentation(_ index: Int) -> Int {
    lines[index].count == 1 ? .max : lines[index].dropFirst().prefix { $0 == " " }.count
  }
}

extension Repository {
  /// The cards of a lesson: all patches but those that Tests/Cards.txt leaves out.
  func patches(of lesson: Lesson) -> [Patch] {
    let leftOut = Set((text("Tests/Cards.txt") ?? "").matches(of: /(?m)^(\w+\/\S+):/).map { "\($0.1).patch" })
    return ["Tests/Impostors", "Tests/Alternatives"].flatMap { kind in
      files("\(kind)/\(lesson.folder)", "patch").filter { !leftOut.contains(String($0.dropFirst(kind.count + 1))) }
    }.compactMap { Patch($0, text: text) }.filter(\.fits)
  }
}
