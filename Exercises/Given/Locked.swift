/// A value behind a lock, for our stand-ins and spies.
///
/// `Synchronization.Mutex` would do the same. On Linux the thread sanitizer does not know it and reports races that are none;
/// it does know `NSLock`.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Reads or changes the value while nobody else can.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
