import Foundation
import Testing

@testable import kata

@Suite("kata review, with a stub instead of the suites")
struct ReviewCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for lesson in 1...2 {
      try folder.write("", to: "Tests/Lessons/Lesson\(lesson)/Step1Send.swift")
      try folder.write("", to: "Exercises/Lesson\(lesson)/A.swift")
      let lines = "abcdefxyz".map { "  let \($0) = 1\n" }
      try folder.write("struct A {\n\(lines.joined())}\n", to: "Solutions/Lesson\(lesson)/A.swift")
      for (kind, names) in [("Impostors", "abcdef"), ("Alternatives", "xyz")] {
        for name in names {
          let file = "Solutions/Lesson\(lesson)/A.swift"
          let change = "@@ -2,1 +2,1 @@\n-  let \(name) = 1\n+  let \(name) = 2\n"
          try folder.write(
            "\(kind) \(name).\n\n--- a/\(file)\n+++ b/\(file)\n\(change)",
            to: "Tests/\(kind)/Lesson\(lesson)/\(name).patch")
        }
      }
    }
    try folder.write(Sample.pageText, to: "Lessons/Lesson1.md")
    try folder.write(#"{"dice":{"state":4},"shown":[]}"#, to: ".build/kata/review.json")
    try engine(
      """
      case $1 in
      *Alternatives*) echo "Lesson 1 +a: passes" ;;
      *) printf 'Lesson 1 a: refused by 2Authorize.adds \\n    ✘ Test "it adds" recorded an issue at A.swift:1:1: no\\n' ;;
      esac
      """)
  }

  /// Replaces the engine.
  private func engine(_ script: String) throws {
    try folder.write("echo \"${1##*/Tests/}\" >> \"\(folder.path)/played.txt\"\n\(script)\n", to: ".ci/variants")
  }

  /// Runs the command.
  ///
  /// - Parameter answers: What the learner types, each at a question; `nil` for a pipe. Then the input ends.
  private func run(_ arguments: String..., answers: [String]? = nil) throws -> (code: ExitCode, screen: String) {
    let screen = "\(folder.path)/screen.txt"
    _ = FileManager.default.createFile(atPath: screen, contents: nil)
    let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "KATA_ALL": "1"]
    var rest = (answers ?? [])[...]
    let keyboard = Keyboard {
      guard Files.end(screen).hasSuffix("(q ends) ") || Files.end(screen).hasSuffix("Return: ") else {
        usleep(1_000)
        return .nothing
      }
      return rest.popFirst().map { .line($0) } ?? .end
    }
    let output = try #require(FileHandle(forWritingAtPath: screen))
    let terminal = Terminal(environment: environment, output: output, keyboard: answers == nil ? nil : keyboard)
    let code = Kata.run(
      arguments: ["review"] + arguments, folder: folder.path, environment: environment, terminal: terminal)
    return (code, try #require(Files.text(screen)))
  }

  private var played: [Substring] { (Files.text("\(folder.path)/played.txt") ?? "").split(separator: "\n") }

  /// The changed lines of the cards on a screen.
  private func cards(_ screen: String) -> [String] { screen.matches(of: /(?m)^\+.*/).map { String($0.0) } }

  @Test("a pipe shows the cards of the next sitting with their answers, and the sitting shows the same")
  func preview() throws {
    let (code, preview) = try run("1")
    let (_, again) = try run("1")
    let sitting = try run("1", answers: ["m", "", "S", "", "m", "", "s", "", "m"]).screen
    let (_, next) = try run("1")

    #expect(code == .green && preview == again && cards(preview).count == 5)
    #expect(preview.matches(of: /Card \d of 5 · Lesson 1 · A.swift\n\n  struct A \{/).count == 5)
    #expect(preview.matches(of: /\n\nThe answer:\n\n(Merge|Send) it/).count == 5)
    #expect(cards(sitting) == cards(preview) && cards(next) != cards(preview))
    #expect(played.count == 20)
  }

  @Test("cards that change the same place do not meet in a sitting, because they answer each other")
  func spots() throws {
    let patch = try #require(Files.text("\(folder.path)/Tests/Impostors/Lesson1/a.patch"))
    for (kind, names) in [("Impostors", "bcdef"), ("Alternatives", "xyz")] {
      for name in names { try folder.write(patch, to: "Tests/\(kind)/Lesson1/\(name).patch") }
    }

    #expect(cards(try run("1").screen).count == 1)
  }

  @Test("an answer leads to the sentence, the evidence, the rule, and the tally")
  func answers() throws {
    let (code, screen) = try run("1", answers: ["maybe", "m", "", "m", "", "m", "", "m", "", "m"])

    #expect(code == .green)
    #expect(screen.contains("(q ends) Type m, s or q, and press Return: "))
    #expect(
      screen.contains(
        #/You have merged it, but this change is wrong.\nImpostors \w.\n/#))
    #expect(
      screen.contains(
        """

        What the suite of Lesson 1 says:
          ✘ Test "it adds" recorded an issue at A.swift:1:1: no

        Rules  Lessons/Lesson1.md#step-2-authorize

        """))
    let right = screen.matches(of: /Right: nothing is wrong with this change/).count
    #expect(screen.matches(of: /Nothing goes wrong: the suite of Lesson 1 passes/).count == right)
    #expect(
      screen.hasSuffix("\nLesson 1: \(right) of 5 right, \(5 - right) merged although wrong, 0 sent back although right\n"))
  }

  @Test("q and the end of the input end the sitting, and what has been seen does not come back")
  func ends() throws {
    var seen: [String] = []
    for answers in [["q"], [], ["s", "q"], ["s"]] {
      let (code, screen) = try run("1", answers: answers)
      #expect(code == .green)
      #expect(screen.hasSuffix(answers.first == "s" ? " although right\n" : "\nYou have answered no card.\n"))
      seen += cards(screen)
    }
    #expect(seen.count == 4 && Set(seen).count == 4)
  }

  @Test("lessons that are not finished are left out unless named")
  func finished() throws {
    let (code, screen) = try run(answers: [])
    #expect(code == .red && screen.hasSuffix("`swift run kata review 3`.\n"))

    var memory = Memory()
    memory[2].isGreen = true
    memory[1].isBegun = true
    memory[1].step = "Step2Authorize"
    memory.save(path: "\(folder.path)/.build/kata/state.json")
    #expect(try run().screen.matches(of: /Card \d of 5 · Lesson (\d)/).map(\.1) == ["2", "2", "2", "2", "2"])

    try folder.write(Sample.pageText.replacing("2: Authorize", with: "2: Authorize (extra)"), to: "Lessons/Lesson1.md")
    let lesson = try Repository(above: folder.path).lesson(1)
    #expect(memory.isFinished(lesson))
  }

  @Test("what Tests/Cards.txt names is left out")
  func leftOut() throws {
    try folder.write("# Why\nLesson1/a: Nobody can judge it.\nLesson1/x: Nor this.\n", to: "Tests/Cards.txt")
    let patches = try Repository(above: folder.path).reviewPatches(1)

    #expect(patches.map { String($0.path.dropLast(6).last!) } == ["b", "c", "d", "e", "f", "y", "z"])
  }

  @Test("a broken memory starts anew, and a folder that cannot be written is no obstacle")
  func memory() throws {
    try folder.write("{", to: ".build/kata/review.json")
    let (code, first) = try run("1", answers: ["q"])
    let (_, second) = try run("1", answers: ["q"])
    #expect(code == .green && first.hasPrefix(".build/kata/review.json does not make sense.") && second.hasPrefix("Card 1"))

    try FileManager.default.removeItem(atPath: "\(folder.path)/.build/kata")
    try folder.write("in the way", to: ".build/kata")
    let (other, screen) = try run("1", answers: ["m", "", "m", "q"])
    #expect(other == .green && screen.matches(of: /\.build\/kata cannot be written/).count == 1)
    #expect(screen.contains(" of 2 right"))
  }

  @Test("a learner need not wait for the evidence. Suites run one by one, and none survives the sitting")
  func skips() throws {
    // The pipe ends when the last process that the engine has started ends.
    try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    let pipe = open("\(folder.path)/pipe", O_RDONLY | O_NONBLOCK)
    defer { close(pipe) }
    try engine("sleep 100 > \"\(folder.path)/pipe\" & wait")
    let screen = "\(folder.path)/screen.txt"
    var cards = 0
    _ = FileManager.default.createFile(atPath: screen, contents: nil)
    let keyboard = Keyboard {
      let text = Files.text(screen) ?? ""
      if text.hasSuffix("go on without it.\n") { return .line("") }
      guard text.hasSuffix("(q ends) ") else { return .nothing }
      cards += 1
      return .line(cards < 3 ? "s" : "q")
    }
    let environment = ["PATH": "/usr/bin:/bin"]
    let output = try #require(FileHandle(forWritingAtPath: screen))
    let terminal = Terminal(environment: environment, output: output, keyboard: keyboard)
    let code = Kata.run(arguments: ["review", "1"], folder: folder.path, environment: environment, terminal: terminal)

    #expect(code == .green && played.count == 1)
    #expect((Files.text(screen) ?? "").contains(" of 2 right"))
    var byte: UInt8 = 0
    #expect(read(pipe, &byte, 1) == 0, "A process has survived.")
  }
}
