import Foundation

/// A patch of one file.
struct Patch: Equatable {
  let sentence: String
  /// The file that it changes, from the root of the package.
  let file: String
  /// Each with the number of its first line, and with a sign before each of its lines.
  private let hunks: [Hunk]

  private struct Hunk: Equatable {
    let start: Int
    var lines: [ReviewCard.Line] = []
  }

  /// - Parameter text: The sentence, an empty line, and the diff.
  /// - Returns: `nil` if the diff does not change exactly one file.
  init?(_ text: String) {
    let all = text.components(separatedBy: "\n")
    let files = all.filter { $0.hasPrefix("--- ") || $0.hasPrefix("+++ ") }.map { $0.dropFirst(6) }
    guard files.count == 2, files[0] == files[1], let file = files.first else { return nil }
    var hunks: [Hunk] = []
    for line in all.drop(while: { !$0.hasPrefix("@@ ") }).dropLast(text.hasSuffix("\n") ? 1 : 0) {
      if let match = line.prefixMatch(of: /@@ -(\d+)/) {
        hunks.append(Hunk(start: Int(match.1) ?? 1))
      } else if !line.hasPrefix("\\") {
        hunks[hunks.count - 1].lines.append(.init(sign: line.first ?? " ", text: String(line.dropFirst())))
      }
    }
    (sentence, self.file, self.hunks) = (all[0], String(file), hunks)
  }

  /// Every line of a file, and the changes to it; `nil` if the patch does not apply to it.
  ///
  /// - Parameter text: The file before the change.
  func lines(of text: String) -> [ReviewCard.Line]? {
    let old = Array(text.components(separatedBy: "\n").dropLast(text.hasSuffix("\n") ? 1 : 0))
    var (lines, next) = ([ReviewCard.Line](), 0)
    for hunk in hunks {
      let before = hunk.lines.filter { $0.sign != "+" }.map(\.text)
      guard old.count - before.count >= next else { return nil }
      // As for git, a hunk may have moved since it was written.
      let places = (next...(old.count - before.count)).filter { old[$0..<($0 + before.count)].elementsEqual(before) }
      guard let place = places.min(by: { abs($0 + 1 - hunk.start) < abs($1 + 1 - hunk.start) }) else { return nil }
      lines += old[next..<place].map { .init(sign: " ", text: $0) } + hunk.lines
      next = place + before.count
    }
    return lines + old[next...].map { .init(sign: " ", text: $0) }
  }
}
