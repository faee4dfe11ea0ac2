import Foundation

/// What a variant did to its lesson's suite.
struct Verdict: Equatable {
  let variant: Variant
  /// What happened, for the list: `fails 2: refreshesFirst, storesBeforeSending`.
  let text: String
  /// What is wrong; `nil` if the variant did what its kind must do.
  let fault: String?

  /// After how many seconds of testing a mistake must have been caught.
  static let limit = 10
}

extension Verdict {
  /// Judges a run.
  init(_ variant: Variant, report: RunReport) {
    let failed = report.progress.failed.map(\.id.functionName)
    let running = report.progress.running.map(\.id.functionName).joined(separator: ", ")
    let isGreen = report.ending == .finished && failed.isEmpty && report.progress.strayComplaints.isEmpty
    let failures = failed.isEmpty ? [] : ["fails \(failed.count): \(failed.joined(separator: ", "))"]
    let end: [String] =
      switch report.ending {
      case .finished, .outdated: isGreen ? ["passes"] : []
      case .crashed: ["crashes in \(CrashReport(output: report.output).test ?? running)"]
      case .hung, .flooded: ["hangs in \(running)"]
      case .didNotBuild: ["does not compile: \(report.checkFaults?.prefix(2).last ?? "")"]
      }
    let complaint = report.progress.failed.first?.complaints.first ?? report.progress.strayComplaints.first
    let reason = complaint.map { $0.sentence ?? $0.expectation } ?? CrashReport(output: report.output).reason ?? ""
    self.variant = variant
    text = (end + failures).joined(separator: ", and ")

    let seconds = report.progress.duration
    switch variant.kind {
    case _ where report.ending == .didNotBuild: fault = "\(variant.name) \(text)"
    case .impostor where isGreen: fault = "No test catches \(variant.name): \(variant.sentence)"
    case .impostor where seconds > Double(Verdict.limit):
      fault = "\(variant.name) is caught only after \(Int(seconds.rounded(.up))) s; the limit is \(Verdict.limit) s."
    case .alternative where variant.lastStep != nil:
      let fails = report.progress.failed.map { $0.id.step ?? 0 }
      let isRight = report.ending == .finished && !fails.isEmpty && fails.allSatisfy { $0 > variant.lastStep! }
      fault = isRight ? nil : "\(variant.name) should fail tests of later steps, and no others, but it \(text). \(reason)"
    case .alternative where !isGreen:
      fault = "\(variant.name) is a correct design, but the suite rejects it: it \(text). \(reason)"
    default: fault = nil
    }
  }

  /// What the table says about the variants of a lesson.
  static func finding(_ verdicts: [Verdict], _ kind: Variant.Kind, lesson: Int) -> Finding {
    let fine = verdicts.count { $0.fault == nil }
    return Finding(
      area: kind == .impostor ? .impostors : .alternatives, lesson: lesson,
      faults: verdicts.isEmpty ? ["There is nothing in Tests/\(kind.rawValue)/Lesson\(lesson)."] : verdicts.compactMap(\.fault),
      count: fine, text: "\(fine) of \(verdicts.count)",
      details: verdicts.map { "\(Finding.mark($0.fault == nil))\($0.variant.name): \($0.text)" })
  }
}
