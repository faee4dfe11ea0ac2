/// What a check has found out about one area of a lesson, or of the package.
struct Finding: Equatable {
  /// A column of the table.
  enum Area: String, CaseIterable {
    case redStart = "red start"
    case solution
    case impostors
    case alternatives
    case page
  }

  let area: Area
  /// The number of the lesson; `nil` if the finding is about the package.
  let lesson: Int?
  /// What is wrong, in sentences.
  var faults: [String] = []
  /// How many tests or variants did what they should.
  var count = 0
  /// What the table says.
  var text = ""
  /// What happened to each variant.
  var details: [String] = []

  /// The text, with a mark.
  var marked: String { Finding.mark(faults.isEmpty) + text }

  /// What precedes a text about something that is fine, or is not.
  static func mark(_ isFine: Bool) -> String { isFine ? "✔ " : "✘ " }
}

/// What a check has found out.
struct CheckReport: Equatable {
  /// The numbers of the lessons that were checked.
  let lessons: [Int]
  let findings: [Finding]

  var faultCount: Int { findings.flatMap(\.faults).count }

  /// The table, what happened to each variant, the faults, and a closing line with counts.
  func lines(_ style: Style) -> [String] {
    var lines = ["lesson  red start   solution    impostors   alternatives  page"]
    for lesson in lessons {
      let cells = zip(Finding.Area.allCases, [12, 12, 12, 14, 2]).map { area, width in
        // What was not checked is not called fine.
        let finding = findings.first { $0.area == area && $0.lesson == lesson }
        let text = style.fit(finding?.marked ?? "-", width)
        return finding?.faults.isEmpty == false ? style.paint(text, .red) : text
      }
      lines.append(style.fit("\(lesson)", 8) + cells.joined())
    }
    for finding in findings where !finding.details.isEmpty {
      lines += ["", style.paint("Lesson \(finding.lesson ?? 0), \(finding.area.rawValue)", .bold)]
      lines += finding.details.flatMap { style.wrap($0, indent: "    ", first: "") }
    }
    let faults = findings.flatMap { finding in
      let place = (finding.lesson.map { "Lesson \($0), " } ?? "") + finding.area.rawValue
      return finding.faults.flatMap { style.wrap("\(place): \($0)", indent: "  ", first: "✘ ") }
    }
    if !faults.isEmpty { lines += ["", style.paint("Faults", .bold)] + faults }
    return lines + ["", style.paint(closing, faults.isEmpty ? .green : .red)]
  }

  /// `check: 2 lessons, 46 red tests, 46 green, 12 impostors caught, 4 alternatives passed, 0 faults`
  private var closing: String {
    let number = { (count: Int, noun: String) in "\(count) \(noun)\(count == 1 ? "" : "s")" }
    return "check: \(number(lessons.count, "lesson")), \(number(count(.redStart), "red test")), \(count(.solution)) green, "
      + "\(number(count(.impostors), "impostor")) caught, \(number(count(.alternatives), "alternative")) passed, "
      + number(faultCount, "fault")
  }

  private func count(_ area: Finding.Area) -> Int { findings.reduce(0) { $0 + ($1.area == area ? $1.count : 0) } }
}
