import Foundation
import Synchronization

/// A process that was started here.
final class Child {
  /// How a process ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private let process = Process()
  private var isKilled = false

  /// Starts a program without input.
  ///
  /// - Parameters:
  ///   - arguments: The program, looked up in `PATH`, and its arguments.
  ///   - environment: Its environment variables.
  ///   - output: The file to which it prints, errors included.
  /// - Throws: A ``Problem`` if it cannot be started, or if the file cannot be written.
  init(_ arguments: [String], environment: [String: String], output: String) throws {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let candidates = folders.map { "\($0)/\(arguments[0])" }
    guard let program = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw Problem("`\(arguments[0])` cannot be started: it is not in your PATH.")
    }
    guard FileManager.default.createFile(atPath: output, contents: nil), let file = FileHandle(forWritingAtPath: output) else {
      throw Problem("\(output) cannot be written. Is the disk full, or the folder protected?")
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = Array(arguments.dropFirst())
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = file
    process.standardError = file
    try process.run()
    try file.close()
  }

  /// How it ended; `nil` while it runs. Does not wait.
  var ending: Ending? {
    // On Linux, `Process` takes a program to be running as long as anything that it has started is.
    if isKilled { return .signal(SIGKILL) }
    guard !process.isRunning else { return nil }
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exit(status) : .signal(status)
  }

  /// Stops it: politely first, as Ctrl-C does, then by force.
  ///
  /// `swift test` and `swift build` stop everything that they have started when they are interrupted.
  ///
  /// - Parameter patience: How long to be polite, in fiftieths of a second.
  func stop(patience: Int = 250) {
    process.interrupt()
    for _ in 0..<patience where ending == nil { usleep(20_000) }
    if ending == nil { isKilled = kill(process.processIdentifier, SIGKILL) == 0 }
  }

  /// Waits for its end.
  ///
  /// - Parameters:
  ///   - pause: Passes a little time, a fiftieth of a second at most.
  ///   - tick: Called after each pause.
  /// - Throws: ``Interrupted`` after a signal. The process has been stopped by then.
  func wait(pause: () -> Void = { usleep(20_000) }, tick: () throws -> Void = {}) throws -> Ending {
    do {
      while true {
        if let ending { return ending }
        try Interrupt.check()
        try tick()
        pause()
      }
    } catch {
      stop()
      throw error
    }
  }
}

/// Thrown when the person at the keyboard has had enough.
struct Interrupted: Error {
  let signal: Int32
}

/// Notices Ctrl-C and its relatives, so that children are stopped and the terminal is left in order.
///
/// A handler only notes the signal. Whoever works or waits asks now and then.
enum Interrupt {
  private static let received = Atomic<Int32>(0)

  /// Starts to notice signals. Children that are started later get the usual behaviour back.
  static func watch() {
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { Interrupt.received.store($0, ordering: .relaxed) }
    }
  }

  /// - Throws: ``Interrupted`` when a signal has come.
  static func check() throws {
    let signal = received.load(ordering: .relaxed)
    if signal != 0 { throw Interrupted(signal: signal) }
  }
}
