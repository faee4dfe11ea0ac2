import Foundation
import Testing

@testable import kata

@Suite("The pages about mistakes")
struct MistakeTests {
  let repository = Project.repository

  @Test("each lesson has enough cards for weeks, and both kinds")
  func counts() {
    for lesson in repository.lessons {
      let cards = repository.cards(of: lesson)
      let harmless = cards.count(where: \.isHarmless)
      print("\(lesson.title): \(cards.count - harmless) wrong cards, \(harmless) harmless ones")
      #expect(cards.count - harmless >= 10 && harmless >= 3, "\(lesson.title) has too few cards.")
    }
  }

  @Test("each part is a step's, and each change has a sentence and a heading of its own")
  func form() {
    for lesson in repository.lessons {
      let path = "Tests/Mistakes/\(lesson.folder).md"
      let page = Page(repository.text(path) ?? "")
      let steps = lesson.page.sections.filter { $0.step != nil }.map { $0.heading.replacing(" (extra)", with: "") }
      for section in page.sections.dropFirst() where section.step ?? 0 > 0 && !section.heading.contains(": Wrong ") {
        #expect(steps.contains(section.heading), "\(path): The page of \(lesson.title) has no \"\(section.heading)\".")
      }
      let changes = repository.changes(of: lesson)
      #expect(Set(changes.map(\.path)).count == changes.count, "\(path): Two headings are equal.")
      for change in changes where !change.sentence.contains(/\.[")]?$/) {
        Issue.record("\(change.path) should say what is wrong, or why nothing is.")
      }
    }
  }

  @Test("`kata review` and `.ci/variants` read the same from each page")
  func agrees() throws {
    // Each form, and each fault, in a lesson of its own.
    let sample = """
      # What people get wrong

      ## Step 1: Send

      `A.swift`

      ### Changes `two` places, and a file

      It is wrong.

      ```diff
      -  one

      +  eins
      @@
         two
      +  zwei
      ```

      `New.swift`

      ```diff
      +struct New {}
      +
      ```

      ### Is there twice

      It is wrong.

      ```diff
      -  three
      ```

      ### Is not there

      It is wrong.

      ```diff
      -  four
      +  vier
      ```

      ### Goes nowhere

      It is wrong.

      ```diff
      +  vier
      ```

      ## Step 2: Wrong tests

      ### Is a test

      `T.swift`

      ```diff
      -  test
      ```

      ## Only looks wrong

      `A.swift`

      ### Is right

      It is right.

      ```diff
      -  one
      +  eins
      ```

      """
    let root = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    func write(_ text: String, to path: String) throws {
      let url = URL(filePath: "\(root)/\(path)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    var texts: [String: String] = ["Tests/Mistakes/Sample.md": sample]
    texts["Solutions/Sample/A.swift"] = "struct A {\n  one\n\n  two\n  three\n  three\n}\n"
    texts["Tests/Lessons/Sample/Reference/T.swift"] = "  test\n  more\n"
    let lessons = repository.lessons.map(\.folder)
    let paths = repository.files("Solutions", "swift") + repository.files("Tests/Lessons", "swift")
    for path in paths + repository.files("Tests/Mistakes", "md") { texts[path] = try Project.text(path) }
    for (path, text) in texts { try write(text, to: path) }
    try write(Project.text(".ci/variants"), to: ".ci/variants")
    try Child.run(["bash", ".ci/variants", "--unpack"], in: root, environment: ProcessInfo.processInfo.environment)

    var faults = 0
    for lesson in lessons + ["Sample"] {
      let changes = Change.all(on: texts["Tests/Mistakes/\(lesson).md"] ?? "", of: lesson)
      let folder = "\(root)/.build/variants/all/\(lesson)"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(
        Set(names) == Set(changes.map { ($0.isHarmless ? "+" : "") + $0.path.drop { $0 != "#" }.dropFirst() }),
        "Tests/Mistakes/\(lesson).md: A heading counts for only one of the two.")
      for change in changes {
        let here = "\(folder)/\(change.isHarmless ? "+" : "")\(change.path.drop { $0 != "#" }.dropFirst())"
        let isFault = FileManager.default.fileExists(atPath: "\(here)/fault")
        let files = change.blocks.map { block in
          let places = ["Tests/Lessons/\(lesson)/Reference", "Solutions/\(lesson)"]
          return block.lines(in: places.compactMap { texts["\($0)/\(block.name)"] }.first)
        }
        faults += isFault && lesson == "Sample" ? 1 : 0
        #expect(isFault == (files.isEmpty || files.contains(nil)), "\(change.path): It applies for only one of the two.")
        #expect(!isFault || lesson == "Sample", "\(change.path) does not apply to our solution, or not once.")
        for (block, lines) in zip(change.blocks, files) where !isFault {
          let text = (lines ?? []).filter { !$0.hasPrefix("-") }.map { $0.dropFirst() + "\n" }.joined()
          #expect(Repository.text("\(here)/\(block.name)") == text, "\(change.path): The two make different files.")
        }
      }
    }
    #expect(faults == 3, "The sample has three faults.")
  }
}
