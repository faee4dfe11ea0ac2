/// A value that is protected by a lock.
///
/// `Synchronization.Mutex` would do the same, but the thread sanitizer on Linux does not recognize it and reports false
/// positives. It recognizes `NSLock`. At work, prefer `Mutex`: with it, the compiler also checks what enters and leaves.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Reads or changes the value while no other thread can.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
