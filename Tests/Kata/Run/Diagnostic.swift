/// An error of the compiler.
struct Diagnostic: Equatable {
  let file: String
  let line: Int
  let message: String

  /// Every error in the output of a build, once.
  static func errors(in output: String) -> [Diagnostic] {
    var all: [Diagnostic] = []
    for line in output.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /([^\s:][^:]*):(\d+):\d+: error: (.*)/) else { continue }
      let diagnostic = Diagnostic(file: String(match.1), line: Int(match.2) ?? 0, message: String(match.3))
      if !all.contains(diagnostic) { all.append(diagnostic) }
    }
    return all
  }
}
