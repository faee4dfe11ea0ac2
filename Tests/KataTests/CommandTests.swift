import Foundation
import Testing

@testable import kata

@Suite("The commands, with a stub instead of swift")
struct CommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for path in ["Package.swift", "Tests/Lessons/Lesson1/Step1Send.swift", "Tests/Lessons/Lesson2/Step1ShowAndDispatch.swift"] {
      try folder.write("", to: path)
    }
    for lesson in 1...2 {
      try folder.write("stub\n", to: "Exercises/Lesson\(lesson)/A.swift")
      try folder.write("solved\n", to: "Solutions/Lesson\(lesson)/A.swift")
    }
    try folder.write(Sample.pageText, to: "Lessons/Lesson1.md")
  }

  /// Runs a command with a `swift` that writes events, prints a text, and exits with a code.
  private func run(
    _ arguments: String..., events: String, prints text: String = "", exit: Int = 0, variables: [String: String] = [:]
  ) throws -> (ExitCode, String) {
    try folder.write(events, to: "events.jsonl")
    try folder.write(text, to: "text.txt")
    let script = """
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
    try folder.write(script, to: "bin/swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/bin/swift")
    // A process that another test forks at this moment may still have the script open, and then it cannot be started.
    let busy = "\(folder.path)/busy.txt"
    repeat {
      _ = try Child(["\(folder.path)/bin/swift"], environment: ["PATH": "/usr/bin:/bin"], output: busy).wait()
    } while Files.text(busy)?.contains("Text file busy") == true

    let screen = "\(folder.path)/screen.txt"
    _ = FileManager.default.createFile(atPath: screen, contents: nil)
    let environment = variables.merging(["PATH": "\(folder.path)/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { $1 }
    let output = try #require(FileHandle(forWritingAtPath: screen))
    let terminal = Terminal(environment: environment, output: output)
    let code = Kata.run(arguments: arguments, folder: folder.path, environment: environment, terminal: terminal)
    return (code, try #require(Files.text(screen)))
  }

  private var filters: String? { Files.text("\(folder.path)/filters.txt") }

  /// The events of a run in which one test of each lesson ends.
  private func events(lessons: [Int] = [1, 2], failing: [Int] = []) -> String {
    let ids = lessons.map { ($0, "Lesson\($0).Step1Send/sends()/Step1Send.swift:9:4") }
    let event = { (fields: String) in #"{"kind":"event","payload":{\#(fields)},"version":0}"# }
    var lines = ids.map { #"{"kind":"test","payload":{"kind":"function","id":"\#($0.1)","displayName":"it sends"},"version":0}"# }
    lines.append(event(#""kind":"runStarted""#))
    for (lesson, id) in ids {
      let symbol = failing.contains(lesson) ? "fail" : "pass"
      lines.append(event(#""kind":"testStarted","testID":"\#(id)""#))
      lines.append(event(#""kind":"testEnded","testID":"\#(id)","messages":[{"symbol":"\#(symbol)"}]"#))
    }
    lines.append(event(#""kind":"runEnded""#))
    return lines.map { $0 + "\n" }.joined()
  }

  @Test("the board runs all suites and names the next test")
  func board() throws {
    let (code, screen) = try run(events: events(failing: [1]), exit: 1)

    #expect(code == .red)
    #expect(filters == "Lesson|Middleware|Receipts\n")
    #expect(screen.contains("Next: Lesson 1, step1Send\n✘ it sends\n"))
    #expect(screen.hasSuffix("L1 0/1 · L2 ✔\n"))
  }

  @Test("a named lesson runs alone and shows its questions when it turns green")
  func oneLesson() throws {
    let (red, _) = try run("1", events: events(lessons: [1], failing: [1]), exit: 1)
    let (green, first) = try run("1", events: events(lessons: [1]))
    let (_, second) = try run("1", events: events(lessons: [1]))
    _ = try run("1", events: events(lessons: [1], failing: [1]), exit: 1)
    let (_, third) = try run("1", events: events(lessons: [1]))

    #expect(red == .red && green == .green)
    #expect(filters == String(repeating: "Lesson1\\.\n", count: 5))
    #expect([first, second, third].map { $0.contains("To think about, or to discuss:") } == [true, false, true])
  }

  @Test("a process that exits before its tests end has crashed")
  func leaves() throws {
    _ = try run(events: events())
    let cut = events().split(separator: "\n").prefix(4).map { $0 + "\n" }.joined()
    let (code, screen) = try run(events: cut)
    let (_, hint) = try run("hint", "1", events: "")

    #expect(code == .red && screen.contains("The test process crashed."))
    #expect(hint == "Lesson 1 is green, so there is no hint to show.\n")
  }

  @Test("a compile error has its own exit code")
  func compileError() throws {
    let error = "\(folder.path)/Exercises/Lesson1/A.swift:1:1: error: cannot find 'stub' in scope\n"
    let (code, screen) = try run(events: "", prints: error, exit: 1)

    #expect(code == .doesNotCompile)
    #expect(screen.hasPrefix("Lesson 1 does not compile.\n\nExercises/Lesson1/A.swift:1\n  cannot find 'stub' in scope\n"))
  }

  @Test("hints are shown one by one, and only an edit runs the suite")
  func hints() throws {
    let red = events(lessons: [1], failing: [1])
    let texts = try (1...2).map { _ in try run("hint", events: red, exit: 1).1 }
    #expect(texts[0].contains("hint 1 of 3") && texts[1].contains("hint 2 of 3"))
    #expect(filters == "Lesson1\\.\n")

    try folder.write("edited\n", to: "Exercises/Lesson1/A.swift")
    _ = try run("hint", events: red, exit: 1)
    #expect(filters == "Lesson1\\.\nLesson1\\.\n")
  }

  @Test("after a crash, hints continue with the step known before")
  func hintsAfterCrash() throws {
    let steps = events(lessons: [1], failing: [1]).replacing("Step1Send", with: "Step2Authorize")
    let page = Sample.pageText + "## Step 2: Again\n\n<details><summary>Hint 1: a look</summary>\n\nLook.\n\n</details>\n"
    try folder.write(page.replacing("## Step 2: Authorize", with: "## Step 3: Authorize"), to: "Lessons/Lesson1.md")
    _ = try run("1", events: steps, exit: 1)

    try folder.write("fatalError()\n", to: "Exercises/Lesson1/A.swift")
    let (_, hint) = try run("hint", events: events(lessons: [1]).split(separator: "\n").prefix(2).joined(separator: "\n") + "\n")

    #expect(
      hint.hasPrefix(
        """
        The suite did not finish. Run `swift run kata 1` to see why.

        Lesson 1, step 2: Again: hint 1 of 1
        """))
  }

  @Test("the doctor reports the parts before a build that fails")
  func doctor() throws {
    let (code, screen) = try run("doctor", events: "", prints: "Swift version 6.3.1\n", exit: 1)

    #expect(code == .red)
    #expect(screen.contains("✔ Toolchain    Swift 6.3.1") && screen.contains("✘ Cold build"))
    #expect(screen.contains("kata doctor: not ready"))
  }

  @Test("a variable that selects our solutions is not passed on, and the doctor mentions it")
  func exportedVariable() throws {
    let proof = ["KATA_PROOF": "1"]
    let (_, board) = try run("1", events: events(lessons: [1], failing: [1]), exit: 1, variables: proof)
    #expect(board.hasSuffix("L1 0/1\n"))

    let (code, screen) = try run("doctor", events: events(lessons: [1]), variables: proof)
    #expect(code == .red && screen.contains("✘ Environment  KATA_PROOF is set,"))
  }

  @Test("an unknown lesson is incorrect usage", arguments: ["", "watch", "hint"])
  func unknownLesson(command: String) throws {
    let (code, screen) = try command.isEmpty ? run("3", events: "") : run(command, "3", events: "")

    #expect(code == .usage)
    #expect(screen == "There is no lesson 3. The lessons are 1 and 2.\n")
  }
}
