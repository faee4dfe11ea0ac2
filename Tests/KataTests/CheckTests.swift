import Foundation
import Testing

@testable import kata

@Suite("The check's judgements")
struct CheckTests {
  private let text = """
    Any 403 puts the account on the list.

    --- a/Solutions/Lesson1/HTTPManager.swift
    +++ b/Solutions/Lesson1/HTTPManager.swift
    @@ -1 +1 @@
    --- a comment that begins with two dashes
    """

  private func patch(_ text: String? = nil) -> Variant {
    let text = text ?? self.text.replacing("\n--- a comment that begins with two dashes", with: "\n-a\n+b")
    return Variant(patch: "/kata/Tests/Impostors/Lesson1/blocks-on-every-403.patch", lesson: 1, text: text)
  }

  private let alternative = Variant(
    folder: "/kata/Tests/Alternatives/Lesson1/two-classes", lesson: 1,
    files: ["HTTPManager.swift": "// Two classes in place of one.\n\nimport Given\n"])

  @Test("a patch brings its name, its sentence and its files")
  func readsPatch() {
    #expect(patch().name == "blocks-on-every-403")
    #expect(patch().sentence == "Any 403 puts the account on the list.")
    #expect(patch().files == ["Solutions/Lesson1/HTTPManager.swift"])
    #expect(patch().fault == nil)
  }

  @Test("a file that is new or taken away is named once")
  func readsNewFile() {
    let patch = patch("A new file.\n--- /dev/null\n+++ b/Solutions/Lesson1/New.swift\n@@ -0,0 +1 @@\n+a")

    #expect(patch.files == ["Solutions/Lesson1/New.swift"] && patch.fault == nil)
  }

  @Test(
    "a patch without a sentence, or for another folder, is a fault",
    arguments: [
      "--- a/Solutions/Lesson1/A.swift\n+++ b/Solutions/Lesson1/A.swift\n", "\n", "",
      "A sentence here.\n--- a/Solutions/Lesson2/A.swift\n+++ b/Solutions/Lesson2/A.swift\n", "Only a sentence.\n",
      "A sentence here.\n--- a/Solutions/Lesson1/../../A.swift\n+++ b/Solutions/Lesson1/../../A.swift\n",
    ])
  func refusesPatch(text: String) {
    #expect(patch(text).fault != nil)
  }

  @Test("an alternative brings its name, its sentence and its files")
  func readsAlternative() {
    #expect(alternative.name == "two-classes")
    #expect(alternative.sentence == "Two classes in place of one.")
    #expect(alternative.files == ["Solutions/Lesson1/HTTPManager.swift"])
    #expect(alternative.fault == nil)
  }

  @Test("an alternative without a sentence, or without files, is a fault", arguments: [["A.swift": "import Given\n"], [:]])
  func refusesAlternative(files: [String: String]) {
    #expect(Variant(folder: "/kata/Tests/Alternatives/Lesson1/two-classes", lesson: 1, files: files).fault != nil)
  }

  @Test("an impostor has to be caught, and the tests that caught it are named")
  func judgesImpostor() {
    let caught = Verdict(variant: patch(), report: report(Sample.progress(failing: [Sample.sends, Sample.refreshes])))
    let missed = Verdict(variant: patch(), report: report(Sample.progress()))

    #expect(caught.text == "caught by 2: sendsOnce, refreshesFirst" && caught.fault == nil)
    #expect(missed.fault == "No test catches blocks-on-every-403: Any 403 puts the account on the list.")
  }

  @Test("a crash and a hang catch an impostor too, and are named")
  func judgesCrash() {
    let crash = Verdict(
      variant: patch(), report: report(Sample.progress(failing: [Sample.sends], open: [Sample.delivers]), .crashed))
    let hang = Verdict(variant: patch(), report: report(Sample.progress(open: [Sample.delivers]), .hung))

    #expect(crash.text == "crashes the tests, and caught by 1: sendsOnce" && crash.fault == nil)
    #expect(hang.text == "hangs in delivers, stopped after 10 s of silence" && hang.fault == nil)
  }

  @Test("what does not compile has not been caught")
  func judgesCompileError() {
    let output = "Solutions/Lesson1/HTTPManager.swift:1:1: error: cannot find 'x' in scope\n"
    let verdict = Verdict(variant: patch(), report: report(SuiteProgress(), .didNotBuild, output))

    #expect(
      verdict.fault == "blocks-on-every-403 does not compile: Solutions/Lesson1/HTTPManager.swift:1: cannot find 'x' in scope")
  }

  @Test("an impostor that takes too long is a fault")
  func judgesSlow() {
    var progress = Sample.progress(failing: [Sample.sends])
    progress.add(.runStarted(at: 4))
    progress.add(.runEnded(at: 13.5))
    let verdict = Verdict(variant: patch(), report: report(progress))

    #expect(verdict.fault == "blocks-on-every-403 is caught only after 11.5 s; at most 10 s are allowed.")
  }

  @Test("an alternative has to pass")
  func judgesAlternative() {
    let fails = Verdict(variant: alternative, report: report(Sample.progress(failing: [Sample.sends])))

    #expect(Verdict(variant: alternative, report: report(Sample.progress())).fault == nil)
    #expect(fails.fault == "two-classes is a correct design, and the suite fails it: it fails 1: sendsOnce.")
    #expect(Verdict(variant: alternative, report: report(Sample.progress(open: [Sample.sends]), .hung)).fault != nil)
    #expect(Verdict(variant: alternative, report: report(Sample.progress(open: [Sample.sends]), .crashed)).fault != nil)
  }

  @Test("a start is red in every step, with sentences, and nothing passes by chance")
  func redStart() {
    let good = Sample.progress(failing: [Sample.sends, Sample.delivers, Sample.refreshes])
    #expect(RedStart.faults(in: good.lesson(1)).isEmpty)

    let solved = RedStart.faults(in: Sample.progress(failing: [Sample.sends, Sample.delivers]).lesson(1))
    #expect(
      solved.count == 1 && solved[0].hasPrefix("Step 2: authorize: no test fails") && solved[0].contains("git restore Exercises"))

    let passing = RedStart.faults(in: Sample.progress(failing: [Sample.sends, Sample.refreshes]).lesson(1))
    #expect(passing.count == 1 && passing[0].contains("\"the server's data and response come back\" passes before"))

    var mute = good
    mute.add(.issue(testID: Sample.refreshes, Complaint(expectation: "Caught error: x")))
    #expect(
      RedStart.faults(in: mute.lesson(1)) == [
        "Step 2: authorize: \"expired credentials are refreshed first\" fails without a sentence for the learner: Caught error: x"
      ])
    #expect(RedStart.faults(in: SuiteProgress().lesson(1)) == ["The suite has no tests."])
  }

  @Test("a test that rightly passes says so in its name")
  func redStartException() {
    var progress = Sample.progress(failing: [Sample.sends, Sample.refreshes])
    progress.add(.test(id: Sample.delivers, name: "unchanged: the answer comes back"))
    progress.add(.testEnded(id: Sample.delivers, failed: false))

    #expect(RedStart.faults(in: progress.lesson(1, withUnchanged: true)).isEmpty)
  }

  @Test("the table and its closing line, word for word")
  func table() {
    let judged = [Sample.progress(failing: [Sample.sends]), Sample.progress()].map {
      Verdict(variant: patch(), report: report($0))
    }
    let passed = [Verdict(variant: alternative, report: report(Sample.progress()))]
    let check = CheckReport(
      lessons: [1, 2],
      columns: [
        .redStart: Column(lessons: [1: Finding(count: 3, text: "3 red"), 2: Finding(count: 1, text: "1 red")]),
        .solution: Column(lessons: [1: Finding(count: 3, text: "3 green"), 2: Finding(count: 1, text: "1 green")]),
        .impostors: Column(lessons: [1: Verdict.finding(judged, .impostor, lesson: 1)]),
        .alternatives: Column(lessons: [1: Verdict.finding(passed, .alternative, lesson: 1)]),
        .page: Column(lessons: [1: Finding(), 2: Finding()], faults: ["README.md: The link to x leads nowhere."]),
      ])

    #expect(
      check.lines(Sample.plain).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n") == """
        lesson  red start   solution    impostors   alternatives  page
        1       ✔ 3 red     ✔ 3 green   ✘ 1 of 2    ✔ 1 of 1      ✘
        2       ✔ 1 red     ✔ 1 green   -           -             ✘

        Impostors of lesson 1
        ✔ blocks-on-every-403: caught by 1: sendsOnce
        ✘ blocks-on-every-403: not caught

        Alternatives of lesson 1
        ✔ two-classes: passes

        Faults
        ✘ Lesson 1, impostors: No test catches blocks-on-every-403: Any 403 puts the
        account on the list.
        ✘ page: README.md: The link to x leads nowhere.

        check: 2 lessons, 4 red tests, 4 green, 1 impostor caught, 1 alternative passed, 2 faults
        """)
  }

  @Test("a build that fails without a diagnostic is a fault, and nothing that was not checked is called fine")
  func didNotBuild() {
    let faults = CheckCommand.faults(of: report(SuiteProgress(), .didNotBuild))
    let table = CheckReport(lessons: [1], columns: [.redStart: Column(faults: faults)])

    #expect(faults == ["The package does not build."])
    #expect(table.lines(Sample.plain)[1].split(separator: " ") == ["1", "-", "-", "-", "-", "-"])
    #expect(table.faultCount == 1)
  }

  private func report(
    _ progress: SuiteProgress, _ ending: RunReport.Ending = .finished, _ output: String = ""
  ) -> RunReport {
    RunReport(ending: ending, progress: progress, output: output)
  }
}
