import Foundation

/// What a variant did to its lesson's suite.
struct Verdict: Equatable {
  enum Outcome: Equatable {
    /// The tests came to their end, and these failed.
    case finished(failed: [String], seconds: Double, isRed: Bool)
    case crashed(test: String?, failed: [String], reason: String)
    case hung(tests: [String], failed: [String])
    /// It could not be tried, for this reason.
    case refused(String)
  }

  let variant: Variant
  let outcome: Outcome

  /// After how many seconds of testing a mistake must have been caught.
  static let limit = 10

  init(variant: Variant, outcome: Outcome) {
    self.variant = variant
    self.outcome = outcome
  }

  /// Judges a run.
  init(variant: Variant, report: RunReport) {
    let progress = report.progress
    let failed = progress.failed.compactMap(\.id.functionName)
    let crash = CrashReport(output: report.output)
    let outcome: Outcome =
      switch report.ending {
      case .finished:
        .finished(failed: failed, seconds: progress.duration, isRed: !failed.isEmpty || !progress.strayComplaints.isEmpty)
      case .crashed:
        .crashed(test: crash.test.map { String($0.function.prefix { $0 != "(" }) }, failed: failed, reason: crash.reason ?? "")
      case .hung, .flooded: .hung(tests: progress.running.compactMap(\.id.functionName), failed: failed)
      case .didNotBuild, .outdated:
        .refused("\(variant.name) does not compile: \(CheckCommand.faults(of: report).first ?? "the build failed")")
      }
    self.init(variant: variant, outcome: outcome)
  }

  /// What happened, for the list: `caught by 2: refreshesFirst, storesBeforeSending`.
  var text: String {
    let isImpostor = variant.kind == .impostor
    let caught = { (failed: [String]) in
      failed.isEmpty ? "" : ", and caught by \(failed.count): \(failed.joined(separator: ", "))"
    }
    switch outcome {
    case .finished(_, _, isRed: false): return isImpostor ? "not caught" : "passes"
    case .finished(let failed, _, _):
      return (isImpostor ? "caught by " : "fails ") + "\(failed.count): \(failed.joined(separator: ", "))"
    case .crashed(let test, let failed, _): return "crashes the tests" + (test.map { " in \($0)" } ?? "") + caught(failed)
    case .hung(let tests, let failed):
      return "hangs in \(tests.joined(separator: ", ")), stopped after \(Verdict.limit) s of silence" + caught(failed)
    case .refused: return "not tried"
    }
  }

  /// What is wrong; `nil` if the variant did what its kind must do.
  var fault: String? {
    switch (outcome, variant.kind) {
    case (.refused(let reason), _): return reason
    case (.finished(_, _, isRed: false), .impostor): return "No test catches \(variant.name): \(variant.sentence)"
    case (.finished(_, let seconds, _), .impostor) where seconds > Double(Verdict.limit):
      let text = seconds.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
      return "\(variant.name) is caught only after \(text) s; at most \(Verdict.limit) s are allowed."
    case (_, .impostor), (.finished(_, _, isRed: false), .alternative): return nil
    case (.crashed(_, _, let reason), .alternative): return "\(variant.name) has to pass, and crashes the tests. \(reason)"
    case (_, .alternative): return "\(variant.name) is a correct design, and the suite fails it: it \(text)."
    }
  }

  /// What the table says about the variants of a lesson.
  static func finding(_ verdicts: [Verdict], _ kind: Variant.Kind, lesson: Int) -> Finding {
    let fine = verdicts.count { $0.fault == nil }
    return Finding(
      faults: verdicts.isEmpty ? ["There is nothing in Tests/\(kind.rawValue)/Lesson\(lesson)."] : verdicts.compactMap(\.fault),
      count: fine, text: "\(fine) of \(verdicts.count)",
      details: verdicts.map { Finding.Detail(isFine: $0.fault == nil, text: "\($0.variant.name): \($0.text)") })
  }
}
