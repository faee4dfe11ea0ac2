/// Whether a page and its suite agree, and whether what it prints exists.
struct PageCheck {
  let lesson: Int
  let page: Page
  /// The numbers of the steps that the suite has.
  let suiteSteps: Set<Int>
  /// Whether there is something at a path, from the root of the package.
  let exists: (String) -> Bool

  /// Everything that is wrong with titles, sections, hints and links.
  func faults() -> [String] {
    var faults: [String] = []
    if !page.title.hasPrefix("Lesson \(lesson): ") {
      faults.append("The title has to be \"# Lesson \(lesson): \" and a name.")
    }
    let steps = page.sections.compactMap(\.step)
    for step in suiteSteps.subtracting(steps).sorted() {
      faults.append("The suite's step \(step) has no section \"## Step \(step): \".")
    }
    for step in Set(steps).subtracting(suiteSteps).sorted() {
      faults.append("The section of step \(step) has no suite Step\(step).")
    }
    for section in page.sections where section.step != nil {
      let count = Hint.all(in: section).count
      if count != 3 { faults.append("\"\(section.heading)\" has \(count) hints in <details>, and three are wanted.") }
      if page.exerciseFile(step: section.step) == nil {
        faults.append("\"\(section.heading)\" links to no file in Exercises.")
      }
    }
    if page.ending == nil {
      faults.append("There is no section \"## When you are green\".")
    } else if page.questions.isEmpty {
      faults.append("\"When you are green\" ends in no list of questions.")
    }
    return faults + PageCheck.deadLinks(in: page.text, of: "Lessons/Lesson\(lesson).md", exists: exists)
  }

  /// The relative links of a text that lead nowhere.
  ///
  /// - Parameters:
  ///   - text: What the page says.
  ///   - path: Where the page is, from the root of the package.
  ///   - exists: Whether there is something at such a path.
  static func deadLinks(in text: String, of path: String, exists: (String) -> Bool) -> [String] {
    let links = Markdown.links(in: text).filter {
      !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:")
    }
    let folder = path.split(separator: "/").dropLast()
    return links.compactMap { link in
      var parts = Array(folder)
      for part in link.prefix(while: { $0 != "#" }).split(separator: "/") {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
      }
      return exists(parts.joined(separator: "/")) ? nil : "The link to \(link) leads nowhere."
    }
  }
}
