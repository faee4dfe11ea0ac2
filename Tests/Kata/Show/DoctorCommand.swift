import Foundation

/// `kata doctor`: whether a machine is ready for the workshop.
struct DoctorCommand {
  let kata: Kata

  private var folder: String { "\(kata.folder)/doctor" }

  /// Examines the machine, removes what it has built, and prints the results.
  func run() throws -> ExitCode {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let attributes = try FileManager.default.attributesOfFileSystem(forPath: kata.repository.root)
    let freeBytes = (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    var report = DoctorReport(findings: [
      .machine(try output("uname", "-sm")), .toolchain(try output("swift", "--version")), .disk(freeBytes: freeBytes),
    ])
    let start = ContinuousClock.now
    let build = try suite("NoTestHasThisName")
    report.findings.append(.build(build, seconds: Int(start.duration(to: .now) / .seconds(1))))
    if build.ending == .finished {
      let lesson = try kata.repository.lesson(kata.repository.numbers[0])
      report.findings += [.suite(try suite(lesson.filter), isRed: true), .suite(try suite("SupportTests\\."), isRed: false)]
    }
    kata.terminal.show(report.lines(kata.style))
    return report.isFine ? .green : .red
  }

  private func suite(_ filter: String) throws -> RunReport {
    var suites = kata.suites
    suites.options = ["--scratch-path", "\(folder)/build"]
    return try suites.run(filter: filter, live: kata.terminal.live)
  }

  private func output(_ arguments: String...) throws -> String {
    let run = try Child.run(arguments, environment: kata.environment, output: "\(folder)/output.txt")
    return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
