/// Draws the result of a check.
struct CheckTable {
  let style: Style
  let result: CheckResult

  /// The table, what happened to each patch, the faults, and a closing line with counts.
  func lines() -> [String] {
    var lines = ["lesson  red start   solution    impostors   alternatives  page"]
    lines += result.lessons.map(row)
    for kind in Patch.Kind.allCases {
      for lesson in result.lessons {
        let verdicts = result.verdicts.filter { $0.patch.kind == kind && $0.patch.lesson == lesson }
        if !verdicts.isEmpty { lines += [""] + ["\(kind.rawValue) of lesson \(lesson)"].map { style.paint($0, .bold) } }
        lines += verdicts.flatMap(line)
      }
    }
    if !result.faults.isEmpty { lines += ["", style.paint("Faults", .bold)] }
    for fault in result.faults {
      let place = (fault.lesson.map { "Lesson \($0), " } ?? "") + fault.area.rawValue
      lines += style.wrap("\(place): \(fault.sentence)", indent: "  ", first: "✘ ")
    }
    return lines + ["", closing()]
  }

  /// `check: 2 lessons, 46 red tests, 46 green, 12 impostors caught, 4 alternatives passed, 0 faults`
  func closing() -> String {
    let fine = { (kind: Patch.Kind) in result.verdicts.count { $0.patch.kind == kind && $0.fault == nil } }
    let red = result.red.values.reduce(0, +)
    let green = result.green.values.reduce(0, +)
    let line =
      "check: \(number(result.lessons.count, "lesson")), \(number(red, "red test")), \(green) green, "
      + "\(number(fine(.impostor), "impostor")) caught, \(number(fine(.alternative), "alternative")) passed, "
      + number(result.faults.count, "fault")
    return style.paint(line, result.faults.isEmpty ? .green : .red)
  }

  private func row(_ lesson: Int) -> String {
    let patches = { (kind: Patch.Kind) in
      let verdicts = result.verdicts.filter { $0.patch.kind == kind && $0.patch.lesson == lesson }
      return "\(verdicts.count { $0.fault == nil }) of \(verdicts.count)"
    }
    let texts: [Fault.Area: String] = [
      .redStart: "\(result.red[lesson] ?? 0) red", .solution: "\(result.green[lesson] ?? 0) green",
      .impostors: patches(.impostor), .alternatives: patches(.alternative), .page: "",
    ]
    let cells = zip(Fault.Area.allCases, [12, 12, 12, 14, 2]).map { area, width in
      let isFine = !result.faults.contains { $0.area == area && ($0.lesson == lesson || $0.lesson == nil) }
      let text = style.fit((isFine ? "✔ " : "✘ ") + (texts[area] ?? ""), width)
      return isFine ? text : style.paint(text, .red)
    }
    return style.fit("\(lesson)", 8) + cells.joined()
  }

  private func line(_ verdict: Verdict) -> [String] {
    style.wrap("\(verdict.patch.name): \(verdict.outcome)", indent: "    ", first: verdict.fault == nil ? "✔ " : "✘ ")
  }

  private func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

/// What a check has found out.
struct CheckResult: Equatable {
  /// The lessons that were checked.
  let lessons: [Int]
  /// How many tests fail on the exercises, by lesson.
  var red: [Int: Int] = [:]
  /// How many tests pass on the solutions, by lesson.
  var green: [Int: Int] = [:]
  var verdicts: [Verdict] = []
  var faults: [Fault] = []

  /// Adds sentences about a lesson.
  mutating func add(_ sentences: [String], _ area: Fault.Area, _ lesson: Int?) {
    faults += sentences.map { Fault(lesson: lesson, area: area, sentence: $0) }
  }
}
