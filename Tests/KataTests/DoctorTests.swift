import Testing

@testable import kata

@Suite("The doctor")
struct DoctorTests {
  @Test(
    "the toolchain has to be Swift 6.2 or later",
    arguments: [
      ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", true, "Swift 6.3.1"),
      ("Apple Swift version 6.2 (swiftlang-6.2)", true, "Swift 6.2"),
      ("Swift version 6.10 (x)", true, "Swift 6.10"), ("swift-driver 1 Apple Swift version 6.1.2", false, "Swift 6.1.2"),
      ("Swift version 7.0", true, "Swift 7.0"), ("zsh: no", false, "Swift ?"),
    ])
  func toolchain(text: String, isFine: Bool, brief: String) {
    let finding = DoctorReport.Finding.toolchain(text)

    #expect(finding.isFine == isFine && finding.brief == brief)
  }

  @Test("the report says what is different with Swift 6.2")
  func oldToolchain() {
    #expect(DoctorReport.Finding.toolchain("Swift version 6.2.3").text.contains("known issues"))
    #expect(DoctorReport.Finding.toolchain("Swift version 6.3.1").text == "Swift 6.3.1")
  }

  private func run(
    _ progress: SuiteProgress = SuiteProgress(), _ ending: RunReport.Ending = .finished, _ output: String = ""
  ) -> RunReport {
    RunReport(ending: ending, progress: progress, output: output)
  }

  @Test("a solved exercise is fine, and the report says that its suite is green")
  func solved() {
    let solved = DoctorReport.Finding.suite(run(Sample.progress()), isRed: true)

    #expect(solved.isFine && solved.text == "All 4 tests passed, unlike on a fresh clone.")
  }

  @Test("a suite that crashes, has no tests or is unexpectedly red is not fine")
  func broken() {
    let red = run(Sample.progress(failing: [Sample.sends]))
    let crash = run(Sample.progress(open: [Sample.sends]), .crashed)

    #expect(DoctorReport.Finding.suite(red, isRed: true).isFine)
    #expect(!DoctorReport.Finding.suite(run(), isRed: true).isFine)
    #expect(!DoctorReport.Finding.suite(crash, isRed: true).isFine)
    #expect(DoctorReport.Finding.suite(red, isRed: false).text == "1 of 4 tests failed, unlike on a fresh clone.")
    #expect(!DoctorReport.Finding.suite(red, isRed: false).isFine)
    #expect(!DoctorReport.Finding.suite(run(), isRed: false).isFine)
  }

  @Test("the report ends in one line to send back")
  func lines() {
    let report = DoctorReport(findings: [
      .machine("Linux x86_64"), .toolchain("Swift version 6.3.1"), .disk(freeBytes: 84_500_000_000), .build(run(), seconds: 18),
      .suite(run(Sample.progress(failing: [Sample.sends])), isRed: true), .suite(run(Sample.progress()), isRed: false),
    ])

    let lines = report.findings.flatMap { $0.lines(Sample.plain) } + report.closing
    #expect(
      lines.joined(separator: "\n") == """
        ✔ Machine      Linux x86_64
        ✔ Toolchain    Swift 6.3.1
        ✔ Free disk    84 GB
        ✔ Cold build   18 s
        ✔ Red suite    1 of 4 tests failed, as expected.
        ✔ Green suite  All 4 tests passed, as expected.

        If someone asked you to run this check, reply with this line:
        kata doctor: ready · Linux x86_64 · Swift 6.3.1 · 84 GB free · cold build 18 s · red ok · green ok
        """)
    #expect(report.isFine)
  }

  @Test(
    "a low limit on threads is not fine",
    arguments: [
      ("Max processes             199                  199                  processes\n", "199 threads"), ("max\n", nil),
      ("Max processes             200                  200                  processes\n", nil),
      ("Max processes             unlimited            unlimited            processes\n100\n", "100 threads"),
      ("Max open files            64                   64                   files\n", nil),
      ("Max processes             96034                96034                processes\nmax\n", nil),
    ])
  func threads(limits: String, brief: String?) {
    let finding = DoctorReport.Finding.threads(limits: limits)

    #expect(finding?.brief == brief && finding?.isFine != true)
  }

  @Test("a full disk and a failed build are not fine")
  func notFine() {
    let error = "Exercises/Lesson1/A.swift:1:1: error: cannot find 'x' in scope"
    let build = DoctorReport.Finding.build(run(SuiteProgress(), .didNotBuild, error), seconds: 1)

    #expect(!DoctorReport.Finding.disk(freeBytes: 1_000_000).isFine)
    #expect(build.text == "Lesson 1 does not compile. If you have edited files there, try a fresh copy.")
    #expect(!DoctorReport(findings: [.machine("Linux x86_64"), build]).isFine)
  }
}
