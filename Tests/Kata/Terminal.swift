import Foundation

/// Where everything is printed, and what can be shown there.
struct Terminal {
  /// Columns of text. At most 100 are used, so that sentences stay readable.
  var width = 80
  /// Whether a learner reads along, and can answer: not in a pipe.
  var isInteractive = false
  /// Whether lines can be overwritten: not on a terminal without control codes.
  var hasControls = false
  var hasColor = false
  var write: (String) -> Void = { FileHandle.standardOutput.write(Data($0.utf8)) }
  /// Reads a line that the learner types; `nil` at the end of the input.
  var read: () -> String? = { readLine() }

  /// How to paint a text.
  enum Paint: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Prints lines, in place of the live line.
  func show(_ lines: [String]) { write((hasControls ? "\r\u{1B}[K" : "") + lines.map { $0 + "\n" }.joined()) }

  /// Shows a line until the next one. In a pipe it is left out.
  func live(_ text: String) {
    if hasControls { write("\r\(paint(String(text.prefix(width - 1)), .dim))\u{1B}[K") }
  }

  /// Clears the screen. In a pipe it leaves a free line instead.
  func clear() { write(hasControls ? "\u{1B}[H\u{1B}[2J" : "\n") }

  func paint(_ text: String, _ paint: Paint?) -> String {
    guard hasColor, let paint, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  /// Breaks a text into lines at its spaces. A word that is longer than a line stays whole, so that it can be copied.
  ///
  /// - Parameters:
  ///   - text: The text. Its line breaks stay.
  ///   - first: What the first line begins with. The others are indented as far.
  ///   - paint: How to paint the lines.
  func wrap(_ text: String, _ first: String = "", _ paint: Paint? = nil) -> [String] {
    let indent = String(repeating: " ", count: first.count)
    var lines: [String] = []
    for paragraph in text.components(separatedBy: "\n") {
      var line = lines.isEmpty ? first : indent
      for word in paragraph.split(separator: " ") {
        let isEmpty = line.count == indent.count
        if !isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = indent + word
        } else {
          line += (isEmpty ? "" : " ") + word
        }
      }
      lines.append(line)
    }
    return lines.map { self.paint($0, paint) }
  }

  /// A text in exactly so many columns: filled with spaces, or cut.
  static func fit(_ text: String, _ columns: Int) -> String {
    text.count > columns ? text.prefix(columns - 1) + "…" : text + String(repeating: " ", count: columns - text.count)
  }
}

extension Terminal {
  /// The standard output.
  ///
  /// - Parameter environment: The environment variables. `TERM` and `NO_COLOR` count.
  init(environment: [String: String]) {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { width = max(20, min(100, Int(size.ws_col))) }
    isInteractive = isatty(STDOUT_FILENO) == 1
    hasControls = isInteractive && environment["TERM"] != "dumb"
    hasColor = hasControls && (environment["NO_COLOR"] ?? "").isEmpty
  }
}
