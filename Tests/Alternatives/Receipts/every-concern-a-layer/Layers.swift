// Each concern is a layer of its own, also the disk, the log, and the main queue.

import Given

/// A switch that the app may turn at any time.
final class Switch {
  var isOn = false
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

/// Receipts in memory, for five minutes.
///
/// Two layers share it: one answers from it, outside the hop to the main queue, and one fills it, inside.
final class ReceiptCache {
  private let now: () -> Date
  private let lock = NSLock()
  private var entries: [String: (receipt: Receipt, date: Date)] = [:]

  init(now: @escaping () -> Date) {
    self.now = now
  }

  subscript(id: String) -> Receipt? {
    get {
      guard let entry = lock.withLock({ entries[id] }), now().timeIntervalSince(entry.date) < 300 else { return nil }
      return entry.receipt
    }
    set {
      let entry = newValue.map { ($0, now()) }
      lock.withLock { entries[id] = entry }
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

/// Puts what is loaded into the cache, and removes what is saved.
final class FillingReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let cache: ReceiptCache

  init(_ decoratee: any ReceiptService, cache: ReceiptCache) { (self.decoratee, self.cache) = (decoratee, cache) }

  func load(_ id: String, completion: @escaping Completion) {
    decoratee.load(id) { [cache] result in
      if case .success(let receipt) = result { cache[id] = receipt }
      completion(result)
    }
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    decoratee.save(receipt) { [cache] result in
      if case .success = result { cache[receipt.id] = nil }
      completion(result)
    }
  }
}

/// Logs how long the decoratee takes.
final class LoggingReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let log: (String) -> Void
  private let now: () -> Date

  init(_ decoratee: any ReceiptService, log: @escaping (String) -> Void, now: @escaping () -> Date) {
    (self.decoratee, self.log, self.now) = (decoratee, log, now)
  }

  func load(_ id: String, completion: @escaping Completion) {
    decoratee.load(id, completion: logging("load \(id)", completion))
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    decoratee.save(receipt, completion: logging("save \(receipt.id)", completion))
  }

  private func logging(_ name: String, _ completion: @escaping Completion) -> Completion {
    let start = now()
    return { [log, now] result in
      let outcome = if case .success = result { "" } else { " failed" }
      log("\(name)\(outcome): \(now().timeIntervalSince(start)) s")
      completion(result)
    }
  }
}

/// Delivers on the main queue.
final class MainQueueReceipts: ReceiptService {
  private let decoratee: any ReceiptService
  private let main: MainQueueRunner

  init(_ decoratee: any ReceiptService, main: @escaping MainQueueRunner) { (self.decoratee, self.main) = (decoratee, main) }

  func load(_ id: String, completion: @escaping Completion) {
    decoratee.load(id) { [main] result in main { completion(result) } }
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    decoratee.save(receipt) { [main] result in main { completion(result) } }
  }
}
