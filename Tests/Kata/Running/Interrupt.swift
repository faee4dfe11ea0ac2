import Foundation
import Synchronization

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
