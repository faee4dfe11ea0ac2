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
