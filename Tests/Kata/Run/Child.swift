import Foundation
import Synchronization

/// A process that the command has started.
final class Child {
  private let process = Process()
  private var isKilled = false
  /// The group of processes that it leads; `nil` if it leads none.
  private var group: pid_t?

  /// Starts a program without input.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in `PATH`, and its arguments.
  ///   - environment: Its environment variables.
  ///   - output: The file to which it prints, errors included.
  /// - Throws: A ``Problem`` if the file cannot be written.
  init(_ arguments: [String], environment: [String: String], output: String) throws {
    guard FileManager.default.createFile(atPath: output, contents: nil), let file = FileHandle(forWritingAtPath: output) else {
      throw Problem("\(output) cannot be written. Check whether the disk is full or the folder is read-only.")
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = file
    process.standardError = file
    try process.run()
    group = getpgid(process.processIdentifier) == process.processIdentifier ? process.processIdentifier : nil
    try file.close()
  }

  /// The exit code, or the signal that ended it; `nil` while it runs. Does not wait.
  var status: Int32? {
    // On Linux, `Process` considers a program to be running as long as anything that it has started is.
    if isKilled { return SIGKILL }
    return process.isRunning ? nil : process.terminationStatus
  }

  /// Stops it: politely first, as Ctrl-C does, then by force.
  ///
  /// `swift test` and `swift build` stop everything that they have started when they are interrupted.
  ///
  /// - Parameter patience: How long to be polite, in fiftieths of a second.
  func stop(patience: Int = 250) {
    process.interrupt()
    for _ in 0..<patience where status == nil { usleep(20_000) }
    if status == nil { isKilled = kill(process.processIdentifier, SIGKILL) == 0 }
  }

  /// Stops it and everything that it has started, which matters for a script: its children do not end with it.
  func stopAll() {
    guard let group else { return stop() }
    for signal in [SIGINT, SIGTERM, SIGKILL] {
      for round in 0..<50 where kill(-group, round == 0 ? signal : 0) == 0 { usleep(20_000) }
    }
    isKilled = true
  }

  /// Waits for its end.
  ///
  /// - Parameter tick: Called fifty times a second.
  /// - Returns: The exit code, or the signal that ended it.
  /// - Throws: ``Interrupted`` after a signal. The process has been stopped by then.
  func wait(tick: () -> Void = {}) throws -> Int32 {
    defer { if status == nil { stop() } }
    while true {
      if let status { return status }
      try Interrupt.check()
      tick()
      usleep(20_000)
    }
  }
}

/// Thrown after Ctrl-C.
struct Interrupted: Error {
  let signal: Int32
}

/// Notices Ctrl-C and similar signals, so that children are stopped and the terminal is left in order.
///
/// A handler only notes the signal. Code that works or waits checks for it regularly.
enum Interrupt {
  private static let received = Atomic<Int32>(0)

  /// Starts to notice signals. Children that are started later have the usual behavior.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { Interrupt.received.store($0, ordering: .relaxed) }
    }
  }

  /// - Throws: ``Interrupted`` if a signal has been received.
  static func check() throws {
    let signal = received.load(ordering: .relaxed)
    if signal != 0 { throw Interrupted(signal: signal) }
  }
}
