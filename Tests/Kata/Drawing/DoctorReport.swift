/// What the set-up check has found out.
struct DoctorReport: Equatable {
  /// What it looks at.
  enum Part: String {
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
  private(set) var findings: [(part: Part, finding: Finding)] = []

  init(machine: String) {
    self.machine = machine
  }

  /// Whether the machine is ready.
  var isFine: Bool { findings.count == 6 && findings.allSatisfy(\.finding.isFine) }

  /// Adds a result.
  mutating func add(_ part: Part, _ finding: Finding) { findings.append((part, finding)) }

  /// The results, and the line to send back.
  func lines(_ style: Style) -> [String] {
    var lines: [String] = []
    for (part, finding) in findings {
      let mark = style.text(finding.isFine ? "✔ " : "✘ ")
      let first = mark + style.fit(part.rawValue, 13)
      let wrapped = style.wrap(finding.text, indent: String(repeating: " ", count: first.count), first: first)
      lines += wrapped.map { finding.isFine ? $0 : style.paint($0, .red) }
    }
    let brief = ["kata doctor: " + (isFine ? "ready" : "not ready"), machine] + findings.map(\.finding.brief)
    return lines + ["", "Please send this line back:", style.text(brief.joined(separator: " · "))]
  }

  static func == (left: DoctorReport, right: DoctorReport) -> Bool {
    left.lines(Style()) == right.lines(Style())
  }
}
