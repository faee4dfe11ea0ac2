import Foundation

/// `kata doctor`: whether a machine is ready for the workshop.
struct DoctorCommand {
  let kata: Kata

  private var folder: String { "\(kata.folder)/doctor" }

  /// Examines the machine, prints each result as soon as it is known, and removes what it has built.
  func run() throws -> ExitCode {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    var report = DoctorReport()
    func add(_ finding: DoctorReport.Finding?) {
      guard let finding else { return }
      report.findings.append(finding)
      kata.terminal.show(finding.lines(kata.style))
    }

    let attributes = try FileManager.default.attributesOfFileSystem(forPath: kata.repository.root)
    add(.machine(try output("uname", "-sm")))
    add(.toolchain(try output("swift", "--version")))
    add(.disk(freeBytes: (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0))
    let limits = ["/proc/self/limits", "/sys/fs/cgroup/pids.max"].compactMap(Files.text)
    add(.threads(limits: limits.joined(separator: "\n")))
    add(.environment(kata.environment))
    kata.terminal.show(
      kata.style.wrap(
        "Building everything in an empty folder, as in a new clone. This takes about a minute, and longer on a busy machine."))
    let start = ContinuousClock.now
    let build = try suite("NoTestHasThisName")
    add(.build(build, seconds: Int(start.duration(to: .now) / .seconds(1))))
    if build.ending == .finished {
      let lesson = try kata.repository.lesson(kata.repository.numbers[0])
      add(.suite(try suite(lesson.filter), isRed: true))
      add(.suite(try suite("SupportTests\\."), isRed: false))
    }
    kata.terminal.show(report.closing)
    return report.isFine ? .green : .red
  }

  private func suite(_ filter: String) throws -> RunReport {
    var suites = kata.suites
    suites.options = ["--scratch-path", "\(folder)/build"]
    return try suites.run(filter: filter, live: kata.terminal.live)
  }

  private func output(_ arguments: String...) throws -> String {
    let path = "\(folder)/output.txt"
    _ = try Child(arguments, environment: kata.environment, output: path).wait()
    return (Files.text(path) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
