import Given

// You cannot look inside a stack of decorators. But you can put a decorator around each object that the stack uses, and let
// all of them write to the same journal.

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

/// A block list that adds an entry to the journal whenever it is read or written.
final class JournalingBlockList: BlockList {
  private let decoratee: any BlockList
  private let journal: Journal

  init(decoratee: any BlockList, journal: Journal) {
    self.decoratee = decoratee
    self.journal = journal
  }

  var isCurrentAccountBlocked: Bool {
    journal.add("block list: blocked?")
    return decoratee.isCurrentAccountBlocked
  }

  func blockCurrentAccount() {
    journal.add("block list: block")
    decoratee.blockCurrentAccount()
  }
}

/// A credentials store that adds an entry to the journal whenever it is read or written.
final class JournalingStore: CredentialsStore {
  private let decoratee: any CredentialsStore
  private let journal: Journal

  init(decoratee: any CredentialsStore, journal: Journal) {
    self.decoratee = decoratee
    self.journal = journal
  }

  var credentials: Credentials? {
    get {
      journal.add("store: credentials?")
      return decoratee.credentials
    }
    set {
      journal.add("store: \(newValue?.accessToken ?? "nothing")")
      decoratee.credentials = newValue
    }
  }

  func replace(_ old: Credentials, with new: Credentials) -> Bool {
    journal.add("store: \(new.accessToken)")
    return decoratee.replace(old, with: new)
  }
}

/// A log that adds an entry to the journal for each record.
final class JournalingLog: HTTPLog {
  private let decoratee: any HTTPLog
  private let journal: Journal

  init(decoratee: any HTTPLog, journal: Journal) {
    self.decoratee = decoratee
    self.journal = journal
  }

  func add(_ record: HTTPLogRecord) {
    switch record.outcome {
    case .status(let status): journal.add("log: \(record.path) \(status)")
    case .error: journal.add("log: \(record.path) error")
    }
    decoratee.add(record)
  }
}
