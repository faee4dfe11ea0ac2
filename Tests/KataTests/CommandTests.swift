import Foundation
import Testing

@testable import kata

@Suite("The commands, with a stub instead of swift")
struct CommandTests {
  private let folder = TemporaryFolder()

  init() throws {
    for lesson in 1...2 {
      try folder.write("stub\n", to: "Exercises/Lesson\(lesson)/A.swift")
      try folder.write("struct A {\n  let a = 1\n}\n", to: "Solutions/Lesson\(lesson)/A.swift")
    }
    try folder.write(Sample.page, to: "Lessons/Lesson1.md")
  }

  /// Runs a command with a `swift` that writes events, prints a text, and exits with a code.
  ///
  /// - Parameter typed: What the learner types, line by line; `nil` for a pipe. Then the input ends.
  private func run(
    _ arguments: String..., events: [String] = [], prints text: String = "", exit: Int = 0, variables: [String: String] = [:],
    typed: [String]? = nil
  ) throws -> (code: Int32, screen: String) {
    try folder.write(events.map { $0 + "\n" }.joined(), to: "events.jsonl")
    try folder.write(text, to: "text.txt")
    let stub = """
      #!/bin/sh
      while [ $# -gt 0 ]; do
        case $1 in
        --event-stream-output-path) stream=$2 ;;
        --filter) echo "$2" >> "\(folder.path)/filters.txt" ;;
        esac
        shift
      done
      if [ -n "$stream" ] && [ -z "$KATA_PROOF" ]; then cat "\(folder.path)/events.jsonl" > "$stream"; fi
      cat "\(folder.path)/text.txt"
      exit \(exit)
      """
    try folder.write(stub, to: "bin/swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/bin/swift")
    let environment = variables.merging(["PATH": "\(folder.path)/bin:/usr/bin:/bin"]) { $1 }
    // A process that another test forks at this moment may still have the stub open, and then it cannot be started.
    let busy = "\(folder.path)/busy.txt"
    repeat {
      try Child.run(["swift"], in: folder.path, environment: environment, output: busy)
    } while Repository.text(busy)?.contains("Text file busy") == true

    var screen = ""
    var rest = (typed ?? [])[...]
    let terminal = Terminal(isInteractive: typed != nil, write: { screen += $0 }, read: { rest.popFirst() })
    let code = Kata(repository: Repository(root: folder.path), terminal: terminal, environment: environment).run(arguments)
    return (code, screen)
  }

  private var filters: String? { Repository.text("\(folder.path)/filters.txt") }

  private func events(failing: [String] = []) -> [String] { Sample.events(failing: failing, root: folder.path) }

  @Test("the board runs all suites, and a named lesson or step runs alone")
  func board() throws {
    let all = try run(events: events(failing: [Sample.sends]), exit: 1)
    let lesson = try run("1", events: events(), variables: ["KATA_PROOF": "1"])
    _ = try run("1.2", events: events())

    #expect(all.code == 1 && all.screen.contains("✘ one call sends one request\n") && all.screen.hasSuffix("L1 2/3 · L2 ✔\n"))
    #expect(lesson.code == 0 && lesson.screen.contains("Lesson 1 is green.\n"))
    #expect(filters == "^Lesson1\\.|^Lesson2\\.\n^Lesson1\\.\n^Lesson1\\.Step[02]\n")
  }

  @Test("a run that ends too early has crashed, and one without events has not been built")
  func endings() throws {
    let crash = try run("1", events: events().dropLast(2))
    let unseen = try run("1", prints: "Build complete! (1.00s)\n", exit: 1)
    let build = try run("1", prints: "\(folder.path)/Exercises/A.swift:1:1: error: x\n", exit: 1)

    #expect(crash.code == 1 && crash.screen.contains("The test process crashed."))
    #expect(unseen.code == 1 && unseen.screen.contains("The test process crashed."))
    #expect(build.code == 2 && build.screen.hasPrefix("The code does not compile.\n\nExercises/A.swift:1\n  x\n"))
  }

  @Test("hints are shown one by one, and only an edit runs the suite")
  func hints() throws {
    let red = events(failing: [Sample.sends])
    let screens = try (1...3).map { _ in try run("hint", events: red, exit: 1).screen }
    #expect(screens[0].contains("hint 1 of 2") && screens[1].contains("hint 2 of 2") && screens[2].contains("all 2 hints"))
    #expect(filters == "^Lesson1\\.\n")
    #expect(try run("hint", "1.2").screen == "Lessons/Lesson1.md has no hints for step 2.\n")

    try folder.write("edited\n", to: "Exercises/Lesson1/A.swift")
    #expect(try run("hint", events: events()).screen == "Lesson 1 is green, so there is no hint to show.\n")
    try folder.write("edited again\n", to: "Exercises/Lesson1/A.swift")
    let broken = try run("hint", exit: 1).screen
    #expect(broken.hasPrefix("The suite did not finish. Run `swift run kata 1` to see why.\n\nLesson 1, Step 1: Send: hint 1"))
    #expect(filters == String(repeating: "^Lesson1\\.\n", count: 3))
  }

  @Test("a state that does not make sense counts as empty", arguments: ["{\"broken", "[]", "{}"])
  func brokenState(text: String) throws {
    try folder.write(text, to: ".build/kata/state.json")
    #expect(try run("hint", events: events(failing: [Sample.sends])).screen.contains("hint 1 of 2"))
  }

  @Test("the doctor ends with a line to send back")
  func doctor() throws {
    let ready = try run("doctor", events: events(failing: []), prints: "Swift version 6.3.1\n")
    let broken = try run(
      "doctor", prints: "Swift version 6.3.1\nA.swift:1:1: error: x\n", exit: 1, variables: ["KATA_PROOF": "1"])

    #expect(ready.screen.contains("✔ Toolchain    Swift 6.3.1\n") && ready.screen.contains("✔ First suite  It is green"))
    #expect(ready.code == 0 && ready.screen.contains(/\nkata doctor: ready · .* · cold build 0 s · suite ok\n$/))
    #expect(broken.code == 1 && broken.screen.contains("✘ Environment  KATA_PROOF is set"))
    #expect(broken.screen.contains(/A\.swift:1\n(?s:.*)✘ Cold build(?s:.*)kata doctor: not ready .* build failed\n$/))
  }

  @Test("what does not exist is a problem with a sentence")
  func problems() throws {
    let lesson = try run("3")
    #expect(lesson.code == 64 && lesson.screen.hasPrefix("There is no command or lesson \"3\". The lessons are 1, 2."))
    #expect(try run("1.7") == (64, "Lessons/Lesson1.md has no step 7.\n"))
    #expect(try run("hint", "me", "now").code == 64)
    #expect(try run("review").screen.hasPrefix("No lesson is known to be finished."))
    #expect(try run("review", "2").screen.hasPrefix("There are no cards."))
  }

  private func writeCards() throws {
    var page = ""
    for (name, part) in [("a", "Step 1: Send"), ("b", "Only looks wrong")] {
      try folder.write("struct A {\n  let a = 1\n}\n", to: "Solutions/Lesson1/\(name).swift")
      let block = "```diff\n struct A {\n-  let a = 1\n+  let a = 2\n```\n"
      page += "\n## \(part)\n\n`\(name).swift`\n\n### It is \(name)\n\nIt is \(name).\n\n\(block)"
    }
    try folder.write(page, to: "Tests/Mistakes/Lesson1.md")
  }

  @Test("a pipe gets the cards of the next sitting, each with its answer")
  func preview() throws {
    try writeCards()
    let first = try run("review", "1").screen

    #expect(
      first.contains(
        /Card 1 of 2 · Lesson 1 · Solutions\/Lesson1\/[ab].swift\n\n struct A \{\n-  let a = 1\n\+  let a = 2\n \}\n/))
    #expect(
      first.contains("The answer:\n\nSend it back: this change is wrong.\nIt is a.\n\nProof  .ci/variants Tests/Mistakes/Less"))
    #expect(first.contains("The answer:\n\nMerge it: nothing is wrong with this change.\nIt is b.\n"))
    #expect(try run("review", "1").screen == first)
  }

  @Test("a sitting asks, and plays the proof if the learner wants it")
  func sitting() throws {
    try writeCards()
    try folder.write("echo \"$1\" > played.txt\n", to: ".ci/variants")
    let (code, screen) = try run("review", "1", typed: ["maybe", "M", "p", "", "m", "q"])
    let (_, next) = try run("review", "1", typed: ["s"])

    #expect(code == 0 && screen.hasSuffix("\n1 of 2 right.\n"))
    #expect(screen.contains("Right. Merge it: nothing is wrong") && screen.contains("No. Send it back: this change is wrong."))
    #expect(try #require(Repository.text("\(folder.path)/played.txt")).hasPrefix("Tests/Mistakes/Lesson1.md#"))
    #expect(next.hasPrefix("Card 1 of 2"), "After all cards, they are shown again.")
  }
}
