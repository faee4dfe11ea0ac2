import Foundation
import Testing

@testable import kata

@Suite("The verdicts of the check")
struct CheckTests {
  private let folder: TemporaryFolder
  private let alternative: Variant

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("// Two classes instead of one.\n\nimport Given\n", to: "two-classes/HTTPManager.swift")
    alternative = Variant(.alternative, lesson: 1, path: "\(folder.path)/two-classes")
  }

  private let text = """
    Any 403 blocks the account.

    --- a/Solutions/Lesson1/HTTPManager.swift
    +++ b/Solutions/Lesson1/HTTPManager.swift
    @@ -1 +1 @@
    --- a comment that begins with two dashes
    """

  private func patch(_ text: String? = nil) throws -> Variant {
    try folder.write(text ?? self.text, to: "blocks-on-every-403.patch")
    return Variant(.impostor, lesson: 1, path: "\(folder.path)/blocks-on-every-403.patch")
  }

  @Test("a patch has a name, a sentence and files")
  func readsPatch() throws {
    let patch = try patch()

    #expect(patch.name == "blocks-on-every-403")
    #expect(patch.sentence == "Any 403 blocks the account.")
    #expect(patch.files == ["Solutions/Lesson1/HTTPManager.swift"])
    #expect(patch.fault == nil)
  }

  @Test("a patch that adds a file names it once")
  func readsNewFile() throws {
    let patch = try patch("A new file.\n\n--- /dev/null\n+++ b/Solutions/Lesson1/New.swift\n@@ -0,0 +1 @@\n+a")

    #expect(patch.files == ["Solutions/Lesson1/New.swift"] && patch.fault == nil)
  }

  @Test(
    "a patch without a sentence, or for another folder, is a fault",
    arguments: [
      "--- a/Solutions/Lesson1/A.swift\n+++ b/Solutions/Lesson1/A.swift\n", "\n", "",
      "A sentence here.\n--- a/Solutions/Lesson1/A.swift\n+++ b/Solutions/Lesson1/A.swift\n",
      "A sentence here.\n\n--- a/Solutions/Lesson2/A.swift\n+++ b/Solutions/Lesson2/A.swift\n", "Only a sentence.\n",
      "A sentence here.\n\n--- a/Solutions/Lesson1/../../A.swift\n+++ b/Solutions/Lesson1/../../A.swift\n",
    ])
  func rejectsPatch(text: String) throws {
    #expect(try patch(text).fault != nil)
  }

  @Test("an alternative has a name, a sentence and files")
  func readsAlternative() {
    #expect(alternative.name == "two-classes")
    #expect(alternative.sentence == "Two classes instead of one.")
    #expect(alternative.files == ["Solutions/Lesson1/HTTPManager.swift"])
    #expect(alternative.fault == nil)
  }

  @Test("an alternative without a sentence, or without files, is a fault", arguments: ["A.swift", "A/B.txt"])
  func rejectsAlternative(file: String) throws {
    try folder.write("// A design.\nimport Given\n", to: "other/\(file)")

    #expect(Variant(.alternative, lesson: 1, path: "\(folder.path)/other").fault != nil)
    #expect(Variant(.alternative, lesson: 1, path: "\(folder.path)/none").fault != nil)
  }

  @Test("an impostor has to fail, and the tests that fail are named")
  func judgesImpostor() throws {
    let caught = Verdict(try patch(), report: report(Sample.progress(failing: [Sample.sends, Sample.refreshes])))
    let missed = Verdict(try patch(), report: report(Sample.progress()))

    #expect(caught.text == "fails 2: sendsOnce, refreshesFirst" && caught.fault == nil)
    #expect(missed.text == "passes")
    #expect(missed.fault == "No test catches blocks-on-every-403: Any 403 blocks the account.")
  }

  @Test("a crash or a hang catches an impostor and is named")
  func judgesCrash() throws {
    let progress = Sample.progress(failing: [Sample.sends], open: [Sample.delivers])
    let crash = Verdict(try patch(), report: report(progress, .crashed))
    let hang = Verdict(try patch(), report: report(Sample.progress(open: [Sample.delivers]), .hung(seconds: 10)))

    #expect(crash.text == "crashes in delivers, and fails 1: sendsOnce" && crash.fault == nil)
    #expect(hang.text == "hangs in delivers" && hang.fault == nil)
  }

  @Test("an impostor whose run was stopped at its first failure is caught")
  func judgesStoppedRun() throws {
    let progress = Sample.progress(failing: [Sample.sends], open: [Sample.delivers])
    let stopped = Verdict(try patch(), report: report(progress, .outdated))

    #expect(stopped.text == "fails 1: sendsOnce" && stopped.fault == nil)
  }

  @Test("an impostor that does not compile is a fault")
  func judgesCompileError() throws {
    let output = "Solutions/Lesson1/HTTPManager.swift:1:1: error: cannot find 'x' in scope\n"
    let verdict = Verdict(try patch(), report: report(SuiteProgress(), .didNotBuild, output))

    #expect(
      verdict.fault == "blocks-on-every-403 does not compile: Solutions/Lesson1/HTTPManager.swift:1: cannot find 'x' in scope")
  }

  @Test("an impostor that takes too long is a fault")
  func judgesSlow() throws {
    var progress = Sample.progress(failing: [Sample.sends])
    progress.add(.runStarted(at: 4))
    progress.add(.runEnded(at: 13.5))
    let verdict = Verdict(try patch(), report: report(progress))

    #expect(verdict.fault == "blocks-on-every-403 is caught only after 12 s; the limit is 10 s.")
  }

  @Test("an alternative has to pass")
  func judgesAlternative() {
    let fails = Verdict(alternative, report: report(Sample.progress(failing: [Sample.sends])))

    #expect(Verdict(alternative, report: report(Sample.progress())).fault == nil)
    #expect(
      fails.fault == "two-classes is a correct design, but the suite rejects it: it fails 1: sendsOnce. "
        + "Each call of `load` sends its request to the server, and sends it once.")
    #expect(Verdict(alternative, report: report(Sample.progress(open: [Sample.sends]), .hung(seconds: 10))).fault != nil)
    #expect(Verdict(alternative, report: report(Sample.progress(open: [Sample.sends]), .crashed)).fault != nil)
  }

  @Test("our state in the middle of a lesson passes the steps so far, and fails later ones")
  func judgesState() throws {
    try folder.write("// One class is out.\n\nimport Given\n", to: "after-step-1/HTTPManager.swift")
    let state = Variant(.alternative, lesson: 1, path: "\(folder.path)/after-step-1")

    #expect(Verdict(state, report: report(Sample.progress(failing: [Sample.refreshes]))).fault == nil)
    for failing in [[], [Sample.sends], [Sample.sends, Sample.refreshes]] {
      #expect(Verdict(state, report: report(Sample.progress(failing: failing))).fault != nil)
    }
  }

  @Test("four quarters cover all variants, each one once")
  func dividesVariants() {
    let all = (1...9).map { Variant(.alternative, lesson: 1, path: "\(folder.path)/\($0)") }

    let parts = (7...10).map { VariantTrials.part(of: all, quarter: "\($0)") }

    #expect(parts.map(\.count) == [2, 3, 2, 2])
    #expect(Set(parts.joined().map(\.name)) == Set(all.map(\.name)))
    #expect(VariantTrials.part(of: all, quarter: nil) == all)
    #expect(VariantTrials.part(of: all, quarter: "none") == [])
  }

  @Test("a run that tries no variants, or a quarter, checks the form of all of them", arguments: ["none", "0"])
  func checksForm(quarter: String) throws {
    try folder.write("", to: "Tests/Lessons/Lesson1/Step1Send.swift")
    try folder.write("", to: "Exercises/Lesson1/HTTPManager.swift")
    try folder.write("import Given\n\n// A class.\n", to: "Tests/Alternatives/Lesson1/two-classes/A.swift")
    let environment = ["KATA_QUARTER": quarter]
    let kata = Kata(
      repository: try Repository(above: folder.path), environment: environment, terminal: Terminal(environment: environment))
    let (impostors, alternatives) = (
      Finding(
        area: .impostors, lesson: 1, faults: ["There is nothing in Tests/Impostors/Lesson1."], text: "0 of 0"),
      Finding(
        area: .alternatives, lesson: 1,
        faults: [
          "two-classes/A.swift should begin with a comment of one line that describes the design, followed by an empty line. "
            + "It is the alphabetically first file in its folder."
        ], text: "0 of 1", details: ["✘ two-classes: not tried"])
    )
    #expect(try VariantTrials(kata: kata).findings([1], proven: [1]) == [impostors, alternatives])

    try folder.write("// A class.\n\nimport Given\n", to: "Tests/Alternatives/Lesson1/two-classes/A.swift")
    try folder.write(text, to: "Tests/Impostors/Lesson1/a.patch")
    #expect(try VariantTrials(kata: kata).findings([1], proven: []) == [], "What was not tried is not called fine.")
  }

  @Test("a start is red in every step, with a sentence for each failure")
  func redStart() {
    let good = Sample.progress(failing: [Sample.sends, Sample.delivers, Sample.refreshes])
    #expect(RedStart.faults(in: good.lesson(1)).isEmpty)

    let solved = RedStart.faults(in: Sample.progress(failing: [Sample.sends, Sample.delivers]).lesson(1))
    #expect(
      solved.count == 1 && solved[0].hasPrefix("Step 2: authorize: no test fails") && solved[0].contains("git restore Exercises"))

    let passing = RedStart.faults(in: Sample.progress(failing: [Sample.sends, Sample.refreshes]).lesson(1))
    #expect(passing.count == 1 && passing[0].contains("\"the server's data and response come back\" passes as shipped"))

    var mute = good
    mute.add(.issue(testID: Sample.refreshes, Complaint(expectation: "Caught error: x")))
    #expect(
      RedStart.faults(in: mute.lesson(1)) == [
        "Step 2: authorize: \"expired credentials are refreshed first\" fails without a sentence for the learner: Caught error: x"
      ])
    #expect(RedStart.faults(in: SuiteProgress().lesson(1)) == ["The suite has no tests."])
  }

  @Test("a plain run reports one issue, in the first test, and no test after it passes")
  func plainRun() {
    var plain = SuiteProgress()
    for (id, name) in Sample.names { plain.add(.test(id: id, name: name)) }
    plain.add(.testEnded(id: Sample.delivers, failed: false))
    #expect(RedStart.faults(inPlainRunOf: plain.lesson(1)).count == 1, "A red lesson must not read as green.")

    plain = Sample.progress(failing: [Sample.sends], open: [Sample.delivers, Sample.refreshes])
    #expect(RedStart.faults(inPlainRunOf: plain.lesson(1)).isEmpty)

    plain.add(.issue(testID: Sample.sends, Sample.complaint))
    #expect(RedStart.faults(inPlainRunOf: plain.lesson(1)).count == 1, "One issue is enough.")

    let passed = Sample.progress(failing: [Sample.sends]).lesson(1)
    #expect(RedStart.faults(inPlainRunOf: passed).count == 1, "A test that did not run must not read as passed.")
  }

  @Test("a display name has at most 12 words after its prefix")
  func longNames() {
    let words = { (count: Int) in Array(repeating: "word", count: count).joined(separator: " ") }
    var progress = Sample.progress(failing: [Sample.sends, Sample.refreshes])
    for (id, name) in [(Sample.sends, words(12)), (Sample.delivers, "unchanged: " + words(12)), (Sample.refreshes, words(13))] {
      progress.add(.test(id: id, name: name))
      if id != Sample.delivers { progress.add(.issue(testID: id, Sample.complaint)) }
    }

    #expect(
      RedStart.faults(in: progress.lesson(1)) == ["Step 2: authorize: the name \"\(words(13))\" has more than 12 words."])
  }

  @Test("a test that passes as shipped says so in its name")
  func redStartException() {
    var progress = Sample.progress(failing: [Sample.sends, Sample.refreshes])
    progress.add(.test(id: Sample.delivers, name: "unchanged: the response is delivered"))
    progress.add(.testEnded(id: Sample.delivers, failed: false))

    #expect(RedStart.faults(in: progress.lesson(1, withUnchanged: true)).isEmpty)

    progress.add(.issue(testID: Sample.delivers, Sample.complaint))
    progress.add(.testEnded(id: Sample.delivers, failed: true))
    #expect(RedStart.faults(in: progress.lesson(1, withUnchanged: true)).count == 1, "A name must keep its word.")
  }

  @Test("a suite that passes as shipped says so in its name")
  func redStartOfSuites() {
    var progress = Sample.progress(failing: [Sample.refreshes])
    progress.add(.suite(id: "Lesson1.Step1Send", name: "unchanged: the promises"))
    #expect(progress.lesson(1).all == 1)
    #expect(RedStart.faults(in: progress.lesson(1, withUnchanged: true)).isEmpty)
    #expect(RedStart.faults(inPlainRunOf: progress.lesson(1, withUnchanged: true)).isEmpty)

    progress.add(.issue(testID: Sample.sends, Sample.complaint))
    progress.add(.testEnded(id: Sample.sends, failed: true))
    #expect(
      RedStart.faults(in: progress.lesson(1, withUnchanged: true)) == [
        "unchanged: the promises: \"one call sends one request\" does not pass as shipped."
      ])
  }

  @Test("the table ends in a line with counts")
  func table() throws {
    let judged = try [Sample.progress(failing: [Sample.sends]), Sample.progress()].map {
      Verdict(try patch(), report: report($0))
    }
    let passed = [Verdict(alternative, report: report(Sample.progress()))]
    let check = CheckReport(
      lessons: [1, 2],
      findings: [
        Finding(area: .redStart, lesson: 1, count: 3, text: "3 red"),
        Finding(area: .redStart, lesson: 2, count: 1, text: "1 red"),
        Finding(area: .solution, lesson: 1, count: 3, text: "3 green"),
        Finding(area: .solution, lesson: 2, count: 1, text: "1 green"),
        Verdict.finding(judged, .impostor, lesson: 1), Verdict.finding(passed, .alternative, lesson: 1),
        Finding(area: .page, lesson: 1), Finding(area: .page, lesson: 2),
        Finding(area: .page, lesson: nil, faults: ["README.md: The link to x leads nowhere."]),
      ])

    #expect(
      check.lines(Sample.plain).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n") == """
        lesson  red start   solution    impostors   alternatives  page
        1       ✔ 3 red     ✔ 3 green   ✘ 1 of 2    ✔ 1 of 1      ✔
        2       ✔ 1 red     ✔ 1 green   -           -             ✔

        Lesson 1, impostors
        ✔ blocks-on-every-403: fails 1: sendsOnce
        ✘ blocks-on-every-403: passes

        Lesson 1, alternatives
        ✔ two-classes: passes

        Faults
        ✘ Lesson 1, impostors: No test catches blocks-on-every-403: Any 403 blocks the
        account.
        ✘ page: README.md: The link to x leads nowhere.

        check: 2 lessons, 4 red tests, 4 green, 1 impostor caught, 1 alternative passed, 2 faults
        """)
  }

  @Test("what was not checked is not called fine")
  func didNotBuild() {
    let faults = report(SuiteProgress(), .didNotBuild).checkFaults ?? []
    let table = CheckReport(lessons: [1], findings: [Finding(area: .redStart, lesson: nil, faults: faults)])

    #expect(faults == ["The package could not be built."])
    #expect(table.lines(Sample.plain)[1].split(separator: " ") == ["1", "-", "-", "-", "-", "-"])
    #expect(table.faultCount == 1)
  }

  private func report(
    _ progress: SuiteProgress, _ ending: RunReport.Ending = .finished, _ output: String = ""
  ) -> RunReport {
    RunReport(ending: ending, progress: progress, output: output)
  }
}
