/// What a check has found out about one lesson, or about the package.
struct Finding: Equatable {
  /// What is wrong, in sentences.
  var faults: [String] = []
  /// How many tests or variants did what they should.
  var count = 0
  /// What the table says.
  var text = ""
  /// What happened to each variant.
  var details: [Detail] = []

  struct Detail: Equatable {
    let isFine: Bool
    let text: String
  }
}

/// One column of the check's table. A column that is missing was not checked.
struct Column: Equatable {
  /// By the number of the lesson.
  var lessons: [Int: Finding] = [:]
  /// What is wrong with the package as a whole.
  var faults: [String] = []

  var isFine: Bool { faults.isEmpty && lessons.values.allSatisfy(\.faults.isEmpty) }
  var count: Int { lessons.values.reduce(0) { $0 + $1.count } }
}

/// What a check has found out.
struct CheckReport: Equatable {
  enum Area: String, CaseIterable {
    case redStart = "red start"
    case solution
    case impostors
    case alternatives
    case page
  }

  /// The numbers of the lessons that were checked.
  let lessons: [Int]
  var columns: [Area: Column] = [:]

  var faultCount: Int {
    columns.values.reduce(0) { $0 + $1.faults.count + $1.lessons.values.reduce(0) { $0 + $1.faults.count } }
  }

  /// The table, what happened to each variant, the faults, and a closing line with counts.
  func lines(_ style: Style) -> [String] {
    var lines = ["lesson  red start   solution    impostors   alternatives  page"] + lessons.map { row($0, style) }
    for area in [Area.impostors, .alternatives] {
      for lesson in lessons {
        guard let details = columns[area]?.lessons[lesson]?.details, !details.isEmpty else { continue }
        lines += [
          "", style.paint("\(area.rawValue.prefix(1).uppercased())\(area.rawValue.dropFirst()) of lesson \(lesson)", .bold),
        ]
        lines += details.flatMap { style.wrap($0.text, indent: "    ", first: $0.isFine ? "✔ " : "✘ ") }
      }
    }
    let faults = Area.allCases.flatMap(faults)
    if !faults.isEmpty { lines += ["", style.paint("Faults", .bold)] }
    lines += faults.flatMap { style.wrap($0, indent: "  ", first: "✘ ") }
    return lines + ["", style.paint(closing, faults.isEmpty ? .green : .red)]
  }

  /// `check: 2 lessons, 46 red tests, 46 green, 12 impostors caught, 4 alternatives passed, 0 faults`
  private var closing: String {
    let number = { (count: Int, noun: String) in "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let count = { (area: Area) in columns[area]?.count ?? 0 }
    return "check: \(number(lessons.count, "lesson")), \(number(count(.redStart), "red test")), \(count(.solution)) green, "
      + "\(number(count(.impostors), "impostor")) caught, \(number(count(.alternatives), "alternative")) passed, "
      + number(faultCount, "fault")
  }

  private func row(_ lesson: Int, _ style: Style) -> String {
    let cells = zip(Area.allCases, [12, 12, 12, 14, 2]).map { area, width in
      guard let column = columns[area], let finding = column.lessons[lesson] else { return style.fit("-", width) }
      let isFine = column.faults.isEmpty && finding.faults.isEmpty
      let text = style.fit((isFine ? "✔ " : "✘ ") + finding.text, width)
      return isFine ? text : style.paint(text, .red)
    }
    return style.fit("\(lesson)", 8) + cells.joined()
  }

  private func faults(in area: Area) -> [String] {
    let column = columns[area] ?? Column()
    return column.faults.map { "\(area.rawValue): \($0)" }
      + lessons.flatMap { lesson in
        (column.lessons[lesson]?.faults ?? []).map { "Lesson \(lesson), \(area.rawValue): \($0)" }
      }
  }
}
