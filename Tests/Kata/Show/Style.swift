/// What the terminal can show.
struct Style: Equatable {
  /// Columns of text. At most 100 are used, so that sentences stay readable.
  var width = 80
  var hasColor = false
  /// Whether anything but ASCII can be printed.
  var hasUnicode = true
  /// Whether block characters can be printed, for the bars.
  var hasBlocks = true

  /// How to paint a piece of text.
  enum Paint: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// Paints a text, where there is colour.
  func paint(_ text: String, _ paint: Paint) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Puts a text into the characters that can be printed.
  func text(_ text: String) -> String {
    hasUnicode ? text : Style.ascii(text)
  }

  /// Breaks a text into lines at its spaces. A word that is longer than a line stays whole, to be copied.
  ///
  /// - Parameters:
  ///   - text: The text. Its line breaks are kept.
  ///   - indent: What each line begins with.
  ///   - first: What the first line begins with, if it is something else.
  func wrap(_ text: String, indent: String = "", first: String? = nil) -> [String] {
    let (indent, first) = (self.text(indent), self.text(first ?? indent))
    var lines: [String] = []
    for paragraph in self.text(text).split(separator: "\n", omittingEmptySubsequences: false) {
      var line = lines.isEmpty ? first : indent
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

  /// A bar of so many columns.
  func bar(_ part: Int, of all: Int, width: Int) -> String {
    let full = all == 0 || width == 0 ? 0 : part == all ? width : min(width - 1, part * width / all)
    let (done, open) = hasBlocks ? ("█", "░") : ("#", "-")
    return String(repeating: done, count: full) + String(repeating: open, count: width - full)
  }

  /// Cuts a text that does not fit.
  func fit(_ text: String, _ columns: Int) -> String {
    let text = self.text(text)
    let mark = self.text("…")
    guard text.count > columns else { return text + String(repeating: " ", count: columns - text.count) }
    return String(text.prefix(max(0, columns - mark.count))) + mark.prefix(columns)
  }

  private static func ascii(_ text: String) -> String {
    text.map { character in
      if character.isASCII { return String(character) }
      return replacements[character] ?? "?"
    }.joined()
  }

  private static let replacements: [Character: String] = [
    "✔": "ok", "✘": "x", "·": "|", "…": "...", "–": "-", "—": "-", "→": "->", "←": "<-", "“": "\"", "”": "\"",
    "„": "\"",
    "’": "'", "‘": "'", "≤": "<=", "≥": ">=", "×": "x", "\u{A0}": " ", "ä": "ae", "ö": "oe", "ü": "ue", "é": "e",
    "█": "#",
    "░": "-", "•": "*", "≠": "!=",
  ]
}

extension Style {
  /// Finds out what can be shown.
  ///
  /// - Parameters:
  ///   - environment: The environment variables: `NO_COLOR`, `TERM`, `COLUMNS`, `LC_ALL`, `LC_CTYPE` and `LANG` count.
  ///   - isTerminal: Whether a person is looking, and not a pipe.
  ///   - columns: How wide the terminal says that it is.
  init(environment: [String: String], isTerminal: Bool, columns: Int?) {
    let value = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let isCapable = isTerminal && value("TERM") != "dumb"
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
    width = min(100, max(20, value("COLUMNS").flatMap { Int($0) } ?? columns ?? 80))
    hasUnicode = locale.contains("utf-8") || locale.contains("utf8")
    hasColor = isCapable && value("NO_COLOR") == nil
    hasBlocks = isCapable && hasUnicode
  }
}
