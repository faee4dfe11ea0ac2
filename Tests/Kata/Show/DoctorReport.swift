/// What the set-up check has found out.
struct DoctorReport: Equatable {
  /// What it looks at.
  enum Part: String, CaseIterable {
    case toolchain = "Toolchain"
    case disk = "Free disk"
    case build = "Cold build"
    case red = "Red suite"
    case green = "Green suite"
    case network = "Network"
  }

  /// One result.
  struct Finding: Equatable {
    let isFine: Bool
    /// For the person at the machine.
    let text: String
    /// For the line that is sent back.
    let brief: String
  }

  /// `Linux x86_64`
  let machine: String
  var findings: [Part: Finding] = [:]

  /// Whether the machine is ready.
  var isFine: Bool { Part.allCases.allSatisfy { findings[$0]?.isFine == true } }

  /// The results, and the line to send back.
  func lines(_ style: Style) -> [String] {
    var lines: [String] = []
    let known = Part.allCases.compactMap { part in findings[part].map { (part, $0) } }
    for (part, finding) in known {
      let mark = style.text(finding.isFine ? "✔ " : "✘ ")
      let first = mark + style.fit(part.rawValue, 13)
      let wrapped = style.wrap(finding.text, indent: String(repeating: " ", count: first.count), first: first)
      lines += wrapped.map { finding.isFine ? $0 : style.paint($0, .red) }
    }
    let brief = ["kata doctor: " + (isFine ? "ready" : "not ready"), machine] + known.map(\.1.brief)
    return lines + ["", "Please send this line back:", style.text(brief.joined(separator: " · "))]
  }
}

extension DoctorReport {
  /// Reads `swift --version`.
  static func toolchain(_ text: String) -> Finding {
    guard let match = text.firstMatch(of: /Swift version (\d+)\.(\d+)(?:\.\d+)?/), let major = Int(match.1),
      let minor = Int(match.2)
    else { return Finding(isFine: false, text: "`swift --version` does not say its version.", brief: "Swift ?") }
    let version = "Swift " + match.0.dropFirst("Swift version ".count)
    let isFine = (major, minor) >= (6, 2)
    return Finding(
      isFine: isFine, text: isFine ? version : "\(version), and 6.2 or later is needed. See swift.org/install.", brief: version)
  }

  /// - Parameter freeBytes: What the file system says; `nil` when it says nothing.
  static func disk(freeBytes: Int?) -> Finding {
    guard let freeBytes else { return Finding(isFine: true, text: "The system does not say.", brief: "disk ?") }
    let size = "\(freeBytes / 1_000_000_000) GB"
    let isFine = freeBytes >= 2_000_000_000
    return Finding(isFine: isFine, text: isFine ? size : "\(size), and 2 GB are needed.", brief: "\(size) free")
  }

  /// - Parameters:
  ///   - seconds: How long it took.
  ///   - trouble: Why it failed; `nil` when it did not.
  static func build(seconds: Int, trouble: String?) -> Finding {
    guard let trouble else { return Finding(isFine: true, text: "\(seconds) s", brief: "cold build \(seconds) s") }
    return Finding(
      isFine: false, text: "\(trouble) If you have been writing there, this is not the machine's fault: try a fresh copy.",
      brief: "build failed")
  }

  /// Judges the suite of an exercise, which is red unless somebody has solved it.
  static func red(_ report: RunReport, lesson: Int) -> Finding {
    let progress = report.progress.lesson(lesson)
    let failed = progress.all - progress.passed
    switch (report.ending, progress.isGreen) {
    case (.finished, true):
      return Finding(
        isFine: true, text: "Lesson \(lesson) is green: it has been solved here already.", brief: "red: solved already")
    case (.finished, false) where failed > 0:
      return Finding(
        isFine: true, text: "Lesson \(lesson): \(failed) of \(progress.all) tests fail, as they should.", brief: "red ok")
    default: return broken(report, "Lesson \(lesson)", brief: "red")
    }
  }

  /// Judges the tests of the suites' own tools, which are green.
  static func green(_ report: RunReport) -> Finding {
    let (all, failed) = (report.progress.count.all, report.progress.failed.count)
    switch (report.ending, failed) {
    case (.finished, 0) where all > 0:
      return Finding(isFine: true, text: "SupportTests: all \(all) tests pass, as they should.", brief: "green ok")
    case (.finished, 1...):
      return Finding(
        isFine: false, text: "SupportTests: \(failed) of \(all) tests fail, and none should.", brief: "green: \(failed) fail")
    default: return broken(report, "SupportTests", brief: "green")
    }
  }

  /// - Parameter fetched: What was found in the folders where the package manager keeps what it fetches.
  static func network(fetched: [String]) -> Finding {
    guard fetched.isEmpty else {
      return Finding(isFine: false, text: "The build has fetched \(fetched.formattedList).", brief: "fetched \(fetched.count)")
    }
    return Finding(
      isFine: true, text: "Not needed: the package has no dependencies, and the cold build has fetched none.",
      brief: "nothing fetched")
  }

  private static func broken(_ report: RunReport, _ name: String, brief: String) -> Finding {
    let what =
      switch report.ending {
      case .crashed: "crashes"
      case .hung: "hangs"
      case .flooded: "prints without end"
      default: "has run no tests"
      }
    return Finding(isFine: false, text: "\(name) \(what).", brief: "\(brief): \(what)")
  }
}
