import Foundation

/// What a patch did to its lesson's suite.
struct Verdict: Equatable {
  let patch: Patch
  /// What happened, for the list: `caught by 2: refreshesFirst, storesBeforeSending`.
  let outcome: String
  /// What is wrong; `nil` when the patch did what its kind must do.
  let fault: String?

  /// After how many seconds of testing a mistake must have been caught.
  static let limit = 10

  /// Judges a run.
  init(patch: Patch, report: RunReport) {
    let failed = report.progress.failed.compactMap(\.id.functionName)
    let names = failed.joined(separator: ", ")
    let seconds = report.progress.duration.formatted(
      .number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
    let isBad = !failed.isEmpty || !report.progress.strayComplaints.isEmpty
    let hanging = report.progress.running.compactMap(\.id.functionName).joined(separator: ", ")
    let crashed = CrashReport(output: report.output).test.map { " in \($0.function.prefix { $0 != "(" })" } ?? ""
    let by = failed.isEmpty ? "" : ", and caught by \(failed.count): \(names)"
    let outcome: String
    var fault: String?

    switch (report.ending, patch.kind) {
    case (.didNotBuild, _), (.outdated, _):
      outcome = "does not compile"
      let errors = BuildOutput.diagnostics(in: report.output).filter(\.isError).map(\.message)
      let reason = errors.first ?? BuildOutput.plainErrors(in: report.output).first ?? "the build failed"
      fault = "\(patch.name) does not compile: \(reason)"
    case (.crashed, .impostor): outcome = "crashes the tests\(crashed)\(by)"
    case (.hung, .impostor): outcome = "hangs in \(hanging), stopped after \(Verdict.limit) s of silence\(by)"
    case (.crashed, .alternative):
      outcome = "crashes the tests"
      fault = "\(patch.name) has to pass, and crashes the tests. \(CrashReport(output: report.output).reason ?? "")"
    case (.hung, .alternative):
      outcome = "hangs"
      fault =
        "\(patch.name) has to pass, and hangs. Running: " + report.progress.running.map(\.name).joined(separator: "; ")
    case (.finished, .impostor):
      outcome = isBad ? "caught by \(failed.count): \(names)" : "not caught"
      if !isBad { fault = "No test catches \(patch.name): \(patch.sentence)" }
      if isBad, report.progress.duration > Double(Verdict.limit) {
        fault = "\(patch.name) is caught only after \(seconds) s; at most \(Verdict.limit) s are allowed."
      }
    case (.finished, .alternative):
      outcome = isBad ? "fails \(failed.count): \(names)" : "passes"
      if isBad { fault = "\(patch.name) is a right design, and the suite fails it: \(names)" }
    }
    self.init(patch: patch, outcome: outcome, fault: fault)
  }

  /// A verdict without a run.
  init(patch: Patch, outcome: String, fault: String?) {
    self.patch = patch
    self.outcome = outcome
    self.fault = fault
  }
}
