import Given
import TestSupport

import class Given.Locked

@testable import ExerciseReceipts

/// What somebody who takes the store apart can get wrong, in the order in which the suite names it.
enum Mistake: String, CaseIterable {
  case hitUntracked = "A receipt from the cache is not tracked."
  case keepsOldEntry = "After a save, a load still delivers the old receipt from the cache."
  case cachesFailures = "After a load that fails, it delivers the same failure for five minutes, and does not look at the disk."
  case tracksFailedSave = "A save that the disk refuses is tracked as a missing receipt."
  case tracksLate = "A result is tracked only after the caller has received it."
  case inclusive = "A receipt that was read exactly five minutes ago still comes from the cache."
  case hitHops = "A receipt from the cache is passed to the main queue, so it is not there yet when `load` returns."
  case refusalHops =
    "In read-only mode, a save's failure is passed to the main queue, so it is not there yet when `save` returns."
  case losesSaves = "A save is lost if the caller does not retain the store."
  case readsHere = "It reads the disk on the queue of its caller, which may be the main queue."
  case tracksBySwitchAtCall =
    "Whether a result is tracked is decided when `load` or `save` is called, and not when the result is delivered."
  case timesTheHop = "A load is logged on the main queue, so a busy main queue makes the disk look slow."
  case cachesLate =
    "A receipt is put into the cache only when the main queue delivers it, so another load before that reads the disk again."
}

/// What the class does, with its seams, and with a switch for each mistake.
///
/// Without a mistake, it is what the learner's code is compared with, whatever happens: no test has to say what is right.
final class OneStore: SwitchableReceiptService, @unchecked Sendable {
  /// Runs the work with the disk.
  typealias Worker = (_ work: @escaping () -> Void) -> Void

  private let readOnly = Locked(false)
  private let environment: ReceiptsEnvironment
  private let disk: any Disk
  private let now: () -> Date
  private let log: (String) -> Void
  private let track: (String) -> Void
  private let main: MainQueueRunner
  private let mistake: Mistake?
  private let work: Worker
  private let cache = Locked<[String: (result: Result<Receipt, any Error>, date: Date)]>([:])

  /// - Parameter work: What runs the work with the disk; `nil` for a queue of the store's own.
  init(_ parts: ReceiptParts, mistake: Mistake? = nil, work: Worker? = nil) {
    (environment, disk, now) = (parts.environment, parts.disk, parts.now)
    (log, track, main) = (parts.log, parts.track, parts.main)
    self.mistake = mistake
    let queue = DispatchQueue(label: "receipts")
    self.work = work ?? { work in queue.async { work() } }
  }

  var isReadOnly: Bool {
    get { readOnly.withLock { $0 } || environment == .support }
    set { readOnly.withLock { $0 = newValue } }
  }

  func load(_ id: String, completion: @escaping Completion) {
    if environment != .widget, let entry = cache.withLock({ $0[id] }), isFresh(entry.date) {
      let deliver = {
        self.deliver(entry.result, tracking: self.mistake == .hitUntracked ? nil : "receipt_shown", to: completion)
      }
      return mistake == .hitHops ? main(deliver) : deliver()
    }
    let (start, isCounted) = (now(), !isReadOnly)
    let read = {
      let result = Result { try JSONDecoder().decode(Receipt.self, from: self.disk.read("\(id).json")) }
      let isLoaded = (try? result.get()) != nil
      let store = {
        guard isLoaded || self.mistake == .cachesFailures else { return }
        let date = self.now()
        self.cache.withLock { $0[id] = (result, date) }
      }
      let log = { self.log("load \(id)\(isLoaded ? "" : " failed"): \(self.now().timeIntervalSince(start)) s") }
      if self.mistake != .cachesLate { store() }
      if self.mistake != .timesTheHop { log() }
      self.main {
        if self.mistake == .cachesLate { store() }
        if self.mistake == .timesTheHop { log() }
        self.deliver(result, tracking: isLoaded ? "receipt_shown" : "receipt_missing", ifAtCall: isCounted, to: completion)
      }
    }
    mistake == .readsHere ? read() : work(read)
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    if isReadOnly {
      let refuse = { completion(.failure(ReceiptError.readOnly)) }
      return mistake == .refusalHops ? main(refuse) : refuse()
    }
    let (start, isCounted) = (now(), !isReadOnly)
    guard mistake == .losesSaves else {
      return work { self.write(receipt, since: start, isCounted, completion) }
    }
    // Late enough that a store that nothing retains is gone in every run.
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { [weak self] in
      self?.write(receipt, since: start, isCounted, completion)
    }
  }

  private func write(_ receipt: Receipt, since start: Date, _ isCounted: Bool, _ completion: @escaping Completion) {
    do {
      try disk.write(JSONEncoder().encode(receipt), to: "\(receipt.id).json")
      if mistake != .keepsOldEntry { _ = cache.withLock { $0.removeValue(forKey: receipt.id) } }
      log("save \(receipt.id): \(now().timeIntervalSince(start)) s")
      main { self.deliver(.success(receipt), tracking: "receipt_saved", ifAtCall: isCounted, to: completion) }
    } catch {
      log("save \(receipt.id) failed: \(now().timeIntervalSince(start)) s")
      main {
        self.deliver(.failure(error), tracking: self.mistake == .tracksFailedSave ? "receipt_missing" : nil, to: completion)
      }
    }
  }

  private func deliver(
    _ result: Result<Receipt, any Error>, tracking event: String?, ifAtCall isCounted: Bool = true, to completion: Completion
  ) {
    if mistake == .tracksLate { completion(result) }
    let isCounted = mistake == .tracksBySwitchAtCall ? isCounted : !isReadOnly
    if environment == .app, isCounted, let event { track(event) }
    if mistake != .tracksLate { completion(result) }
  }

  private func isFresh(_ date: Date) -> Bool {
    let age = now().timeIntervalSince(date)
    return mistake == .inclusive ? age <= 300 : age < 300
  }
}

/// Everything that `makeReceipts` receives.
struct ReceiptParts {
  var environment = ReceiptsEnvironment.app
  let disk: any Disk
  let now: () -> Date
  let log: (String) -> Void
  let track: (String) -> Void
  let main: MainQueueRunner
}
