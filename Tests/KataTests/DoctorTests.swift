import Testing

@testable import kata

@Suite("The set-up check")
struct DoctorTests {
  @Test(
    "the toolchain has to be 6.2 or later",
    arguments: [
      ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", true, "Swift 6.3.1"),
      ("Apple Swift version 6.2 (swiftlang-6.2)", true, "Swift 6.2"),
      ("Swift version 6.10 (x)", true, "Swift 6.10"), ("swift-driver 1 Apple Swift version 6.1.2", false, "Swift 6.1.2"),
      ("Swift version 7.0", true, "Swift 7.0"), ("zsh: no", false, "Swift ?"),
    ])
  func toolchain(text: String, isFine: Bool, brief: String) {
    let finding = DoctorReport.toolchain(text)

    #expect(finding.isFine == isFine && finding.brief == brief)
  }

  @Test("a suite that is green because it has been solved is fine, and is said")
  func solved() {
    let solved = DoctorReport.red(RunReport(ending: .finished, progress: Sample.progress(), output: ""), lesson: 1)

    #expect(solved.isFine && solved.text == "Lesson 1 is green: it has been solved here already.")
  }

  @Test("a suite that crashes, hangs, has no tests or is red where it should be green is not fine")
  func broken() {
    let red = RunReport(ending: .finished, progress: Sample.progress(failing: [Sample.sends]), output: "")
    let none = RunReport(ending: .finished, progress: SuiteProgress(), output: "")
    let crash = RunReport(ending: .crashed, progress: Sample.progress(open: [Sample.sends]), output: "")

    #expect(DoctorReport.red(red, lesson: 1).isFine)
    #expect(!DoctorReport.red(none, lesson: 1).isFine)
    #expect(!DoctorReport.red(crash, lesson: 1).isFine)
    #expect(!DoctorReport.green(red).isFine)
    #expect(!DoctorReport.green(none).isFine)
  }

  @Test("it ends in one line to send back")
  func lines() {
    var report = DoctorReport(machine: "Linux x86_64")
    report.findings[.toolchain] = DoctorReport.toolchain("Swift version 6.3.1")
    report.findings[.disk] = DoctorReport.disk(freeBytes: 84_500_000_000)
    report.findings[.build] = DoctorReport.build(seconds: 18, trouble: nil)
    report.findings[.red] = DoctorReport.red(
      .init(ending: .finished, progress: Sample.progress(failing: [Sample.sends]), output: ""), lesson: 1)
    #expect(!report.isFine, "Something has not been looked at yet.")
    report.findings[.green] = DoctorReport.green(.init(ending: .finished, progress: Sample.progress(), output: ""))
    report.findings[.network] = DoctorReport.network(fetched: [])

    #expect(
      report.lines(Sample.plain).joined(separator: "\n") == """
        ✔ Toolchain    Swift 6.3.1
        ✔ Free disk    84 GB
        ✔ Cold build   18 s
        ✔ Red suite    Lesson 1: 1 of 3 tests fail, as they should.
        ✔ Green suite  SupportTests: all 4 tests pass, as they should.
        ✔ Network      Not needed: the package has no dependencies, and the cold build
                       has fetched none.

        Please send this line back:
        kata doctor: ready · Linux x86_64 · Swift 6.3.1 · 84 GB free · cold build 18 s · red ok · green ok · nothing fetched
        """)
    #expect(report.isFine)
  }

  @Test("a full disk and a fetched package are not fine")
  func notFine() {
    #expect(!DoctorReport.disk(freeBytes: 1_000_000).isFine)
    #expect(!DoctorReport.network(fetched: ["swift-syntax"]).isFine)
    #expect(!DoctorReport.build(seconds: 1, trouble: "Lesson 1 does not compile.").isFine)
  }
}
