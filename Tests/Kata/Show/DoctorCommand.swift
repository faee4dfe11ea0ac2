import Foundation

/// `kata doctor`: whether a machine is ready for the workshop.
struct DoctorCommand {
  let kata: Kata

  private var folder: String { "\(kata.folder)/doctor" }
  private var build: String { "\(folder)/build" }

  /// Examines the machine, removes what it has built, and prints what it has found.
  func run() throws -> ExitCode {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    var report = DoctorReport(machine: machine)
    report.findings[.toolchain] = DoctorReport.toolchain(try output(["swift", "--version"]).text)
    report.findings[.disk] = DoctorReport.disk(freeBytes: freeBytes)
    if try coldBuild(&report) {
      let lesson = try kata.repository.lesson(kata.repository.numbers[0])
      report.findings[.red] = DoctorReport.red(try suite(lesson.filter), lesson: lesson.number)
      report.findings[.green] = DoctorReport.green(try suite("SupportTests\\."))
      report.findings[.network] = DoctorReport.network(fetched: fetched)
    }
    kata.terminal.show(report.lines(kata.style))
    return report.isFine ? .green : .red
  }

  private func coldBuild(_ report: inout DoctorReport) throws -> Bool {
    let start = ContinuousClock.now
    let arguments = ["swift", "build", "--build-tests", "--package-path", kata.repository.root, "--scratch-path", build]
    let (text, isFine) = try output(arguments) { output in
      kata.terminal.live("A cold build \(BuildOutput.fraction(in: output) ?? "") …")
    }
    let seconds = Int(start.duration(to: .now) / .seconds(1))
    let errors = Trouble(style: kata.style).compileErrors(SuiteRun.relative(text, to: kata.repository.root))
    let trouble = isFine ? nil : Trouble.setup(text) ?? errors[0]
    report.findings[.build] = DoctorReport.build(seconds: seconds, trouble: trouble)
    return isFine
  }

  private func suite(_ filter: String) throws -> RunReport {
    var suites = kata.suites
    suites.options = ["--skip-build", "--scratch-path", build]
    return try suites.run(filter: filter, live: kata.terminal.live)
  }

  private func output(
    _ arguments: [String], tick: (String) -> Void = { _ in }
  ) throws -> (text: String, isFine: Bool) {
    let file = "\(folder)/output.txt"
    let child = try Child(arguments, environment: kata.environment, output: file)
    let ending = try child.wait { tick(Files.text(file) ?? "") }
    return (Files.text(file) ?? "", ending == .exit(0))
  }

  private var freeBytes: Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: kata.repository.root)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// What the package manager has fetched for the cold build. It keeps what it fetches in the build folder.
  private var fetched: [String] {
    ["checkouts", "repositories", "artifacts"].flatMap { name in
      (try? FileManager.default.contentsOfDirectory(atPath: "\(build)/\(name)").filter { !$0.hasPrefix(".") }) ?? []
    }
  }

  private var machine: String {
    #if arch(arm64)
      let processor = "arm64"
    #else
      let processor = "x86_64"
    #endif
    #if os(macOS)
      let system = "macOS"
    #else
      let system = "Linux"
    #endif
    return "\(system) \(processor)"
  }
}
