import Given
import TestSupport

// You cannot look inside a stack of decorators. But each object that the stack uses can write to the same journal.

/// Records events in the order in which they happen.
public final class Journal: Sendable {
  private struct State {
    var traces: [[String]] = [[]]
    var awaited: (entry: String, arrival: DispatchSemaphore)?
  }

  private let state = Locked(State())

  /// Creates an empty journal.
  public init() {}

  /// The entries, oldest first: those before the first trace, and then those of each trace.
  public var traces: [[String]] {
    state.withLock { $0.traces }
  }

  /// All entries, oldest first.
  public var entries: [String] { traces.flatMap(\.self) }

  /// Begins a trace, which the next entries belong to.
  public func beginTrace() {
    state.withLock { $0.traces.append([]) }
  }

  public func add(_ entry: String) {
    state.withLock { state in
      state.traces[state.traces.count - 1].append(entry)
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

extension CredentialsStoreSpy {
  /// Creates a store that adds an entry to the journal whenever it is read or written.
  public convenience init(_ credentials: Credentials?, journal: Journal) {
    self.init(
      credentials, afterRead: { journal.add("store: credentials?") },
      beforeWrite: { journal.add("store: \($0?.accessToken ?? "nothing")") })
  }
}

extension BlockListSpy {
  /// Creates a list that adds an entry to the journal whenever it is read or written.
  public convenience init(journal: Journal) {
    self.init(onRead: { journal.add("block list: blocked?") }, onBlock: { _ in journal.add("block list: block") })
  }
}

extension StubServer {
  /// Creates a server that adds an entry to the journal whenever it receives a request.
  public convenience init(respondingOn queue: DispatchQueue? = nil, journal: Journal) {
    self.init(respondingOn: queue) { request in
      journal.add("server: \(request.url?.path == "/token" ? request.refreshInWords.words : request.asReceived)")
    }
  }
}

/// A log that adds an entry to the journal for each record.
public final class JournalingLog: HTTPLog {
  private let journal: Journal

  /// Creates a log.
  public init(journal: Journal) {
    self.journal = journal
  }

  public func add(_ record: HTTPLogRecord) {
    let outcome =
      switch record.outcome {
      case .status(let status): "\(status)"
      case .error(let domain, let code): "\(domain) \(code)"
      }
    let (seconds, attoseconds) = record.duration.components
    let duration = TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    // A field that records do not have today is part of the entry, too, so that traces show it.
    let others = Mirror(reflecting: record).children.filter { !["method", "path", "outcome", "duration"].contains($0.label) }
    journal.add(
      "log: \(record.method) \(record.path) \(outcome), \(duration) seconds"
        + others.map { ", \($0.label ?? "") \($0.value)" }.joined())
  }
}
