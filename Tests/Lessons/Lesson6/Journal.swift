import Given
import TestSupport

// You cannot look inside a stack of decorators. But each object that the stack uses can write to the same journal.

/// Records events in the order in which they happen.
final class Journal: Sendable {
  private let state = Locked<(entries: [String], awaited: (entry: String, arrival: DispatchSemaphore)?)>(([], nil))

  /// The entries, oldest first.
  var entries: [String] {
    state.withLock { $0.entries }
  }

  func add(_ entry: String) {
    state.withLock { state in
      state.entries.append(entry)
      if state.awaited?.entry == entry { state.awaited?.arrival.signal() }
    }
  }

  /// Runs work, and waits on the current thread until it has led to an entry, or until some seconds have passed.
  func wait(for entry: String, seconds: TimeInterval, after work: () -> Void) {
    let arrival = DispatchSemaphore(value: 0)
    state.withLock { $0.awaited = (entry, arrival) }
    work()
    _ = arrival.wait(timeout: .now() + seconds)
    state.withLock { $0.awaited = nil }
  }
}

/// A log that forwards each record to a closure.
final class ClosureLog: HTTPLog {
  private let body: (HTTPLogRecord) -> Void

  init(_ body: @escaping (HTTPLogRecord) -> Void) {
    self.body = body
  }

  func add(_ record: HTTPLogRecord) {
    body(record)
  }
}

extension CredentialsStoreSpy {
  /// Creates a store that adds an entry to the journal whenever it is read or written.
  convenience init(_ credentials: Credentials?, journal: Journal) {
    self.init(
      credentials, afterRead: { journal.add("store: credentials?") },
      beforeWrite: { journal.add("store: \($0?.accessToken ?? "nothing")") })
  }
}

extension BlockListSpy {
  /// Creates a list that adds an entry to the journal whenever it is read or written.
  convenience init(journal: Journal) {
    self.init(onRead: { journal.add("block list: blocked?") }, onBlock: { journal.add("block list: block") })
  }
}
