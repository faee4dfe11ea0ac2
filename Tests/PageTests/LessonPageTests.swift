import Testing

@testable import kata

@Suite("The page of each lesson")
struct LessonPageTests {
  let pages: [(lesson: Lesson, page: Page, file: MarkdownPage)]
  let suites: [SuiteFile]

  init() throws {
    suites = try Project.suites()
    pages = try Project.repository.lessons.map { ($0, $0.page, try MarkdownPage($0.pagePath)) }
  }

  @Test("the page has a title, a section for each step, and questions at its end")
  func sections() {
    for (lesson, page, file) in pages {
      if !page.title.hasPrefix("\(lesson.title): ") {
        file.record("The title has to be \"# \(lesson.title): \" followed by a name.", line: 1)
      }
      // What comes before step 1 is green as shipped, and needs no section.
      let steps = Set(suites.filter { $0.lesson == lesson.folder }.compactMap(\.step)).subtracting([0])
      let described = Set(page.sections.compactMap(\.step))
      for step in steps.subtracting(described).sorted() {
        file.record("The suite's step \(step) has no section \"## Step \(step): \".")
      }
      for step in described.subtracting(steps).sorted() {
        file.record("There is no suite Step\(step) for the section on step \(step).")
      }
      let stubs = lesson.files.compactMap(Project.repository.text).joined().matches(of: /Unfinished\("[^"]*, step (\d)/)
      for step in Set(stubs.compactMap { Int($0.1) }).subtracting(described).sorted() {
        file.record("A stub of the exercise names step \(step), which has no section.")
      }
      if !page.hasQuestions { file.record("The section \"## When you are green\" has to end with a list of questions.") }
    }
  }

  @Test("a solution has the files of its exercise, and those that are finished are the same in both")
  func files() {
    #expect(pages.flatMap(\.lesson.missing).isEmpty)
    let finished =
      ["Lesson8/Stage1Singleton", "Lesson8/Stage2Injected"]
      + ["Middleware/Composed", "Middleware/CredentialsProvider", "Middleware/Timing", "Receipts/CallSites"]
    for file in finished {
      let (given, ours) = (Project.repository.text("Exercises/\(file).swift"), Project.repository.text("Solutions/\(file).swift"))
      #expect(given != nil && given == ours, "\(file).swift")
    }
  }

  @Test("a step has three hints, a file to edit, and at most six rules, and folds none of them away")
  func steps() {
    for (lesson, page, file) in pages {
      for section in page.sections {
        guard let step = section.step else { continue }
        let line = file.text.firstRange(of: "## \(section.heading)").map { file.line(of: $0.lowerBound) }
        func fault(_ text: String) { file.record("\"\(section.heading)\" \(text)", line: line) }

        let count = section.hints.count
        if count != 3 { fault("has \(count) hints in <details> instead of three.") }
        if page.exerciseFile(step: step) == nil { fault("and the rest of the page link to no file in Exercises.") }
        let rules = section.text.replacing(/(?s)<details>.*?<\/details>/, with: "").matches(of: #/(?m)^- /#).count
        if rules > 6 { fault("lists \(rules) rules instead of six at most.") }
        let folded = section.text.matches(of: /<summary>(.*?)<\/summary>/).map { String($0.1) }
        if let title = folded.first(where: { $0.contains("suite") }) {
          fault("folds away \"\(title)\". What decides stands in plain sight.")
        }

        let titles = suites.filter { $0.lesson == lesson.folder && $0.step == step }.compactMap(\.title)
        if titles.contains(where: { $0.hasSuffix(" (extra)") != section.isExtra }) {
          fault("and the name of its suite have to agree on whether the step is extra.")
        }
        if !section.isExtra, page.sections.contains(where: { $0.isExtra && $0.step ?? 0 < step }) {
          fault("is a core step that follows an extra step.")
        }
      }
    }
  }
}
