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

/// How the command leaves, for scripts and for CI.
enum ExitCode: Equatable {
  /// Everything is as it should be.
  case green
  /// Something is not: a test fails, the process crashed or hung, a check found a fault.
  case red
  /// The package does not compile.
  case doesNotCompile
  /// The command was used in a way that it does not understand.
  case usage
  /// A signal ended it: Ctrl-C is signal 2.
  case interrupted(bySignal: Int32)

  /// The number that the shell sees.
  var number: Int32 {
    switch self {
    case .green: 0
    case .red: 1
    case .doesNotCompile: 2
    case .usage: 64
    case .interrupted(let signal): 128 + signal
    }
  }
}
