/// An error or a warning of the compiler.
struct Diagnostic: Equatable {
  let file: String
  let line: Int
  let isError: Bool
  let message: String

  /// Every error and warning in the output of a build, once.
  static func all(in output: String) -> [Diagnostic] {
    var all: [Diagnostic] = []
    for line in output.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /([^\s:][^:]*):(\d+):\d+: (error|warning): (.*)/) else { continue }
      let diagnostic = Diagnostic(
        file: String(match.1), line: Int(match.2) ?? 0, isError: match.3 == "error", message: String(match.4))
      if !all.contains(diagnostic) { all.append(diagnostic) }
    }
    return all
  }
}
