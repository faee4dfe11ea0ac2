/// Something that keeps the command from doing its work, said in a sentence.
struct Problem: Error, Equatable {
  /// What is wrong, and what helps.
  let sentence: String
  /// Lines to print below it, as they are.
  let details: [String]
  let exitCode: ExitCode

  init(_ sentence: String, details: [String] = [], exitCode: ExitCode = .red) {
    self.sentence = sentence
    self.details = details
    self.exitCode = exitCode
  }

  /// The text to show.
  func lines(_ style: Style) -> [String] {
    style.wrap(sentence) + details.map(style.text)
  }
}
