/// What the terminal can show.
struct Style: Equatable {
  /// Columns of text. At most 100 are used, so that sentences stay readable.
  var width = 80
  var hasColor = false
  /// Whether anything but ASCII can be printed.
  var hasUnicode = true

  /// How to paint a piece of text.
  enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// Paints a text if there is color.
  func paint(_ text: String, _ paint: Paint) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Breaks a text into lines at its spaces. A word that is longer than a line stays whole, so that it can be copied.
  ///
  /// - Parameters:
  ///   - text: The text. Its line breaks stay.
  ///   - indent: What each line begins with.
  ///   - first: What the first line begins with, if it is something else.
  func wrap(_ text: String, indent: String = "", first: String? = nil) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = lines.isEmpty ? first ?? indent : indent
      var isEmpty = true
      for word in paragraph.split(separator: " ") {
        if !isEmpty, line.count + 1 + word.count > width {
          lines.append(line)
          line = indent
          isEmpty = true
        }
        line += (isEmpty ? "" : " ") + word
        isEmpty = false
      }
      lines.append(isEmpty ? "" : line)
    }
    return lines
  }

  /// A text in exactly so many columns: filled with spaces, or cut.
  func fit(_ text: String, _ columns: Int) -> String {
    text.count > columns ? text.prefix(columns - 1) + "…" : text + String(repeating: " ", count: columns - text.count)
  }

  /// A bar of 20 columns. It is full only if everything is done.
  static func bar(_ part: Int, of all: Int) -> String {
    let full = all == 0 ? 0 : part * 20 / all
    return String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
  }

  /// A line in the characters that the terminal can print. Its width does not change.
  ///
  /// Bars have block characters only where there is color.
  func printable(_ line: String) -> String {
    if hasUnicode { return hasColor ? line : line.replacing("█", with: "#").replacing("░", with: "-") }
    return String(line.map { $0.isASCII ? $0 : Style.ascii[$0] ?? "?" })
  }

  private static let ascii: [Character: Character] = [
    "█": "#", "░": "-", "✔": "+", "✘": "x", "·": "|", "…": "~", "→": ">", "“": "\"", "”": "\"", "’": "'", "‘": "'", "–": "-",
  ]
}

extension Style {
  /// Finds out what can be shown.
  ///
  /// - Parameters:
  ///   - environment: The environment variables: `NO_COLOR`, `TERM`, `COLUMNS`, `LC_ALL`, `LC_CTYPE` and `LANG` count.
  ///   - isTerminal: Whether the output is shown on a terminal, and not sent to a pipe.
  ///   - columns: The width that the terminal reports.
  init(environment: [String: String], isTerminal: Bool, columns: Int?) {
    let value = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
    width = min(100, max(20, value("COLUMNS").flatMap { Int($0) } ?? columns ?? 80))
    hasUnicode = locale.contains("utf-8") || locale.contains("utf8")
    hasColor = isTerminal && value("TERM") != "dumb" && value("NO_COLOR") == nil
  }
}
