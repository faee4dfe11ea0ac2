import Given

/// A switch that the app may turn at any time, on any thread.
final class Switch: Sendable {
  private let value = Locked(false)

  var isOn: Bool {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// Saves nothing while a condition holds.
final class ReadOnlyReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let isReadOnly: () -> Bool

  init(_ decoratee: any ReceiptService, if isReadOnly: @escaping () -> Bool) {
    self.decoratee = decoratee
    self.isReadOnly = isReadOnly
  }

  func load(_ id: String, completion: @escaping Completion) {
    decoratee.load(id, completion: completion)
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    if isReadOnly() { return completion(.failure(ReceiptError.readOnly)) }
    decoratee.save(receipt, completion: completion)
  }
}

/// Tracks each result just before it is delivered, unless a condition holds then.
final class TrackingReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let track: (String) -> Void
  private let isOff: () -> Bool

  init(_ decoratee: any ReceiptService, track: @escaping (String) -> Void, unless isOff: @escaping () -> Bool) {
    self.decoratee = decoratee
    self.track = track
    self.isOff = isOff
  }

  func load(_ id: String, completion: @escaping Completion) {
    decoratee.load(id) { [track, isOff] result in
      if !isOff() { track((try? result.get()) == nil ? "receipt_missing" : "receipt_shown") }
      completion(result)
    }
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    decoratee.save(receipt) { [track, isOff] result in
      if !isOff(), case .success = result { track("receipt_saved") }
      completion(result)
    }
  }
}

/// Receipts in memory, for five minutes. Like the class, it keeps older ones until they are replaced.
///
/// `CachedReceipts` reads it when it is called. `DiskReceipts` fills it on its own queue, before it hops to the main queue.
final class ReceiptCache {
  private let now: () -> Date
  private let entries = Locked<[String: (receipt: Receipt, date: Date)]>([:])

  init(now: @escaping () -> Date) {
    self.now = now
  }

  subscript(id: String) -> Receipt? {
    get {
      guard let entry = entries.withLock({ $0[id] }), now().timeIntervalSince(entry.date) < 300 else { return nil }
      return entry.receipt
    }
    set {
      let entry = newValue.map { ($0, now()) }
      entries.withLock { $0[id] = entry }
    }
  }
}

/// Delivers what is in the cache, before `load` returns.
final class CachedReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let cache: ReceiptCache

  init(_ decoratee: any ReceiptService, cache: ReceiptCache) {
    self.decoratee = decoratee
    self.cache = cache
  }

  func load(_ id: String, completion: @escaping Completion) {
    if let receipt = cache[id] { return completion(.success(receipt)) }
    decoratee.load(id, completion: completion)
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    decoratee.save(receipt, completion: completion)
  }
}
