import Foundation
import Synchronization

/// A program that kata starts, and waits for.
enum Child {
  /// The signal that has been received while a program was running; 0 for none.
  private static let received = Atomic<Int32>(0)

  /// Runs a program without input, as long as it is of interest.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in `PATH`, and its arguments.
  ///   - folder: Its working directory.
  ///   - environment: Its environment variables.
  ///   - output: The file to which it prints, errors included; `nil` if it prints where kata does.
  ///   - goesOn: Whether to go on. Called at least twenty times a second.
  /// - Returns: The exit code, or the signal that ended it.
  /// - Throws: A ``Problem`` if the file cannot be written, or after Ctrl-C. The program has been stopped by then.
  @discardableResult
  static func run(
    _ arguments: [String], in folder: String, environment: [String: String], output: String? = nil,
    while goesOn: () -> Bool = { true }
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    if let output {
      guard FileManager.default.createFile(atPath: output, contents: nil), let file = FileHandle(forWritingAtPath: output) else {
        throw Problem("\(output) cannot be written. Check whether the disk is full or the folder is read-only.")
      }
      process.standardOutput = file
      process.standardError = file
    }

    // A terminal sends Ctrl-C to kata, and not to a program with a process group of its own.
    received.store(0, ordering: .relaxed)
    let handlers = [SIGINT, SIGTERM, SIGHUP].map { number in
      (number, signal(number) { Child.received.store($0, ordering: .relaxed) })
    }
    defer { for (number, handler) in handlers { signal(number, handler) } }
    try process.run()
    var pause: UInt32 = 1000
    while process.isRunning {
      if received.load(ordering: .relaxed) != 0 || !goesOn() {
        stop(process)
        break
      }
      usleep(pause)
      pause = min(50_000, pause * 2)
    }
    let number = received.load(ordering: .relaxed)
    if number != 0 { throw Problem("Stopped.", exitCode: 128 + number) }
    return process.isRunning ? SIGKILL : process.terminationStatus
  }

  /// Stops a program: politely first, as Ctrl-C does, which `swift test` passes on to what it has started. Then by force.
  private static func stop(_ process: Process) {
    let id = process.processIdentifier
    for number in [SIGINT, SIGKILL] {
      if kill(-id, number) != 0 { kill(id, number) }
      for _ in 0..<100 where process.isRunning { usleep(50_000) }
    }
  }
}
