/// A reason why the command cannot do its work, and what helps.
struct Problem: Error, Equatable {
  /// The text for the learner.
  let sentence: String
  let exitCode: ExitCode

  init(_ sentence: String, exitCode: ExitCode = .red) {
    self.sentence = sentence
    self.exitCode = exitCode
  }
}

/// The exit code of the command, for scripts and for CI.
struct ExitCode: Equatable {
  /// The number that the shell sees.
  let number: Int32

  /// Everything is fine.
  static let green = ExitCode(number: 0)
  /// A test failed, or the process crashed.
  static let red = ExitCode(number: 1)
  static let doesNotCompile = ExitCode(number: 2)
  /// The arguments make no sense.
  static let usage = ExitCode(number: 64)
  /// A signal ended the command: Ctrl-C is signal 2.
  static func interrupted(bySignal signal: Int32) -> ExitCode { ExitCode(number: 128 + signal) }
}
