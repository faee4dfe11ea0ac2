import Foundation

/// `kata doctor`: whether a machine is ready for the workshop.
struct DoctorCommand {
  let context: Context

  private var folder: String { "\(context.folder)/doctor" }
  private var build: String { "\(folder)/build" }

  /// Examines the machine, removes what it has built, and prints what it has found.
  func run() throws -> ExitCode {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    var report = DoctorReport(machine: machine)
    report.add(.toolchain, DoctorReport.toolchain(try output(["swift", "--version"]).text))
    report.add(.disk, DoctorReport.disk(freeBytes: freeBytes))
    if try coldBuild(&report) {
      let lesson = context.repository.lessons[0]
      report.add(.red, DoctorReport.red(try suite("Lesson\(lesson)\\."), lesson: lesson))
      report.add(.green, DoctorReport.green(try suite("SupportTests\\.")))
      report.add(.network, DoctorReport.network(fetched: fetched))
    }
    context.terminal.show(report.lines(context.style))
    return report.isFine ? .green : .red
  }

  private func coldBuild(_ report: inout DoctorReport) throws -> Bool {
    let start = ContinuousClock.now
    let arguments = ["swift", "build", "--build-tests", "--package-path", context.repository.root, "--scratch-path", build]
    let (text, isFine) = try output(arguments) { output in
      context.terminal.live("A cold build \(BuildOutput.fraction(in: output) ?? "") …")
    }
    let seconds = Int(start.duration(to: .now) / .seconds(1))
    let trouble = Trouble(style: context.style, relative: context.repository.relative)
    report.add(.build, DoctorReport.build(seconds: seconds, trouble: isFine ? nil : trouble.compileErrors(text)[0]))
    return isFine
  }

  private func suite(_ filter: String) throws -> RunReport {
    var suites = context.suites()
    suites.options = ["--skip-build", "--scratch-path", build]
    return try suites.run(filter: filter, live: context.terminal.live)
  }

  private func output(
    _ arguments: [String], tick: (String) -> Void = { _ in }
  ) throws -> (text: String, isFine: Bool) {
    let file = "\(folder)/output.txt"
    let child = try Child(arguments, environment: context.environment, output: file)
    let ending = try child.wait { tick(Files.text(file) ?? "") }
    return (Files.text(file) ?? "", ending == .exit(0))
  }

  private var freeBytes: Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: context.repository.root)
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
