/// What `kata doctor` has found out.
struct DoctorReport: Equatable {
  /// One result.
  struct Finding: Equatable {
    let title: String
    let isFine: Bool
    /// For the person at the machine.
    let text: String
    /// For the line that is sent back.
    let brief: String

    /// The result, for the person at the machine.
    func lines(_ style: Style) -> [String] {
      let first = (isFine ? "✔ " : "✘ ") + style.fit(title, 13)
      let lines = style.wrap(text, indent: String(repeating: " ", count: first.count), first: first)
      return isFine ? lines : lines.map { style.paint($0, .red) }
    }
  }

  var findings: [Finding] = []

  /// Whether the machine is ready.
  var isFine: Bool { findings.allSatisfy(\.isFine) }

  /// The line to send back.
  var closing: [String] {
    let brief = ["kata doctor: " + (isFine ? "ready" : "not ready")] + findings.map(\.brief)
    return ["", "If someone asked you to run this check, reply with this line:", brief.joined(separator: " · ")]
  }
}

extension DoctorReport.Finding {
  /// - Parameter text: The output of `uname -sm`.
  static func machine(_ text: String) -> Self { Self(title: "Machine", isFine: true, text: text, brief: text) }

  /// - Parameter text: The output of `swift --version`.
  static func toolchain(_ text: String) -> Self {
    let match = text.firstMatch(of: /Swift version ((\d+)\.(\d+)(\.\d+)?)/)
    let isFine = match.map { (Int($0.2) ?? 0, Int($0.3) ?? 0) >= (6, 2) } ?? false
    let version = "Swift \(match?.1 ?? "?")"
    let isOld = match?.2 == "6" && match?.3 == "2"
    let remark = ". After a failure, the tests that did not run are listed as known issues. From 6.3 on, they are canceled."
    let advice = ", but 6.2 or later is required. See swift.org/install."
    return Self(title: "Toolchain", isFine: isFine, text: version + (isFine ? isOld ? remark : "" : advice), brief: version)
  }

  /// - Parameter freeBytes: What the file system reports.
  static func disk(freeBytes: Int) -> Self {
    let (size, isFine) = ("\(freeBytes / 1_000_000_000) GB", freeBytes >= 2_000_000_000)
    return Self(
      title: "Free disk", isFine: isFine, text: size + (isFine ? "" : ", but 2 GB is required."), brief: "\(size) free")
  }

  /// A limit on threads that is too low for the suites, as in a container; `nil` if there is none.
  ///
  /// - Parameter limits: What Linux says about the limits of this process and of its control group. Other systems say nothing.
  static func threads(limits: String) -> Self? {
    let numbers = limits.matches(of: /(?:Max processes +|^)(\d+)/.anchorsMatchLineEndings()).compactMap { Int($0.1) }
    guard let limit = numbers.min(), limit < 200 else { return nil }
    return Self(
      title: "Threads", isFine: false,
      text: "Only \(limit) are allowed, and the suites have been tried with 200. "
        + "Raise the container's limit on processes, or `ulimit -u`.",
      brief: "\(limit) threads")
  }

  /// A variable that changes what plain `swift test` runs; `nil` if it is not set.
  static func environment(_ variables: [String: String]) -> Self? {
    guard variables["KATA_PROOF"] != nil else { return nil }
    return Self(
      title: "Environment", isFine: false,
      text: "KATA_PROOF is set, so `swift test` would judge our solutions instead of your exercises. Run `unset KATA_PROOF`.",
      brief: "KATA_PROOF is set")
  }

  /// - Parameters:
  ///   - report: A run without tests in an empty build folder.
  ///   - seconds: How long it took.
  static func build(_ report: RunReport, seconds: Int) -> Self {
    guard let sentence = report.setupAdvice ?? report.sentence else {
      return Self(title: "Cold build", isFine: true, text: "\(seconds) s", brief: "cold build \(seconds) s")
    }
    return Self(
      title: "Cold build", isFine: false, text: "\(sentence) If you have edited files there, try a fresh copy.",
      brief: "build failed")
  }

  /// Judges the suite of an exercise, which is red until someone solves it, or the tests of the suites' own tools, which are
  /// green.
  static func suite(_ report: RunReport, isRed: Bool) -> Self {
    let (all, failed) = (report.progress.tests.values.count { $0.state != .skipped }, report.progress.failed.count)
    let isFine = report.ending == .finished && all > 0 && (isRed || failed == 0)
    let expected = isRed == (failed > 0) ? ", as expected" : ", unlike on a fresh clone"
    let result = failed == 0 ? "All \(all) tests passed" : "\(failed) of \(all) tests failed"
    let color = isRed ? "red" : "green"
    return Self(
      title: isRed ? "Red suite" : "Green suite", isFine: isFine,
      text: report.sentence ?? (all == 0 ? "No tests ran." : "\(result)\(expected)."),
      brief: isFine ? "\(color) ok" : "\(color) failed")
  }
}
