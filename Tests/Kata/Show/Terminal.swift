import Foundation

/// Where everything is printed: lines that stay, and one live line that is overwritten.
struct Terminal {
  let style: Style
  /// Whether lines can be overwritten: not in a pipe, nor on a terminal without control codes.
  let isTerminal: Bool
  /// What the learner types; `nil` in a pipe.
  let keyboard: Keyboard?
  private let output: FileHandle

  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - output: Where to print; `nil` for the standard output.
  ///   - keyboard: What is typed; `nil` for the standard input, if the standard output is a terminal.
  init(environment: [String: String], output: FileHandle? = nil, keyboard: Keyboard? = nil) {
    self.output = output ?? .standardOutput
    let isShown = output == nil && isatty(STDOUT_FILENO) == 1
    self.keyboard = keyboard ?? (isShown ? Keyboard(.standardInput) : nil)
    isTerminal = isShown && environment["TERM"] != "dumb"
    style = Style(
      environment: environment, isTerminal: isTerminal, columns: isTerminal ? Terminal.columns() : nil)
  }

  /// Prints lines, in place of the live line.
  func show(_ lines: [String]) {
    erase()
    write(lines.map { style.printable($0) + "\n" }.joined())
  }

  /// Shows a line until the next one. In a pipe it is left out.
  func live(_ text: String) {
    guard isTerminal else { return }
    write("\r" + style.paint(style.printable(String(text.prefix(style.width - 1))), .dim) + "\u{1B}[K")
  }

  /// Asks for a line.
  func ask(_ prompt: String) {
    erase()
    write(style.printable(prompt))
  }

  /// Removes the live line.
  func erase() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  /// Clears the screen. In a pipe it leaves a free line instead.
  func clear() {
    write(isTerminal ? "\u{1B}[H\u{1B}[2J" : "\n")
  }

  private func write(_ text: String) {
    try? output.write(contentsOf: Data(text.utf8))
  }

  private static func columns() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
