// Each concern is a layer of its own, also the disk, the log, and the main queue.

import Given

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
