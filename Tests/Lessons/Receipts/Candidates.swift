import Given
import TestSupport

import class Given.Locked

@testable import ExerciseReceipts

/// The stores that a learner's tests are run against.
///
/// Each of these calls a completion at most once, and does its wrong thing before it delivers the last result, or never. So whether
/// a test catches it does not depend on the speed of the machine.
enum ReceiptStores {
  /// Makes a store.
  typealias Make = (ReceiptParts) -> any SwitchableReceiptService

  /// Right ones, of other designs than the class.
  static let right = [
    Candidate<Make>(
      "It consists of layers. It writes other JSON, and reads the clock more often: decode what is written, and let a clock move only when the test moves it."
    ) { LayeredReceipts($0) },
    Candidate<Make>("It works in a task, and takes its time. Wait for what you expect: `await journal.receives(3)`.") {
      TaskReceipts($0)
    },
  ]

  /// Wrong ones. Each makes one mistake.
  static let wrong = Mistake.allCases.map { mistake in
    Candidate<Make>(mistake.rawValue) { OneStore($0, mistake: mistake) }
  }
}

/// A right one in layers. Each layer is a pair of functions.
private final class LayeredReceipts: SwitchableReceiptService {
  private typealias Layer = (
    load: (String, @escaping ReceiptService.Completion) -> Void, save: (Receipt, @escaping ReceiptService.Completion) -> Void
  )

  private let readOnly = Locked(false)
  private let outermost: Layer

  var isReadOnly: Bool {
    get { readOnly.withLock { $0 } }
    set { readOnly.withLock { $0 = newValue } }
  }

  init(_ parts: ReceiptParts) {
    let (disk, now, main, environment) = (parts.disk, parts.now, parts.main, parts.environment)
    let isReadOnly = { [readOnly] in readOnly.withLock { $0 } || environment == .support }
    let cache = Locked<[String: (receipt: Receipt, date: Date)]>([:])
    let queue = DispatchQueue(label: "files")

    let files: Layer = (
      { id, completion in
        queue.async { completion(Result { try JSONDecoder().decode(Receipt.self, from: disk.read("\(id).json")) }) }
      },
      { receipt, completion in
        queue.async {
          let encoder = JSONEncoder()
          encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
          completion(Result { try disk.write(encoder.encode(receipt), to: "\(receipt.id).json") }.map { receipt })
        }
      }
    )
    let filling: Layer = (
      { id, completion in
        files.load(id) { result in
          _ = now()
          let date = now()
          if case .success(let receipt) = result { cache.withLock { $0[id] = (receipt, date) } }
          completion(result)
        }
      },
      { receipt, completion in
        files.save(receipt) { result in
          if case .success = result { cache.withLock { $0[receipt.id] = nil } }
          completion(result)
        }
      }
    )
    func logging(_ name: String, _ completion: @escaping ReceiptService.Completion) -> ReceiptService.Completion {
      let start = now()
      return { result in
        let outcome = if case .success = result { "" } else { " failed" }
        parts.log("\(name)\(outcome): \(now().timeIntervalSince(start)) s")
        main { completion(result) }
      }
    }
    func tracking(
      _ success: String, _ failure: String?, _ completion: @escaping ReceiptService.Completion
    ) -> ReceiptService.Completion {
      { result in
        let event: String? = if case .success = result { success } else { failure }
        if let event, environment == .app, !isReadOnly() { parts.track(event) }
        completion(result)
      }
    }
    outermost = (
      { id, completion in
        let completion = tracking("receipt_shown", "receipt_missing", completion)
        if environment != .widget, let entry = cache.withLock({ $0[id] }), now().timeIntervalSince(entry.date) < 300 {
          return completion(.success(entry.receipt))
        }
        filling.load(id, logging("load \(id)", completion))
      },
      { receipt, completion in
        if isReadOnly() { return completion(.failure(ReceiptError.readOnly)) }
        filling.save(receipt, logging("save \(receipt.id)", tracking("receipt_saved", nil, completion)))
      }
    )
  }

  func load(_ id: String, completion: @escaping Completion) { outermost.load(id, completion) }
  func save(_ receipt: Receipt, completion: @escaping Completion) { outermost.save(receipt, completion) }
}

/// A right one that works in a task, one job after the other.
private final class TaskReceipts: SwitchableReceiptService {
  private struct Job: @unchecked Sendable {
    let run: () -> Void
  }

  private let store: OneStore
  private let jobs: AsyncStream<Job>.Continuation

  init(_ parts: ReceiptParts) {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
    self.jobs = jobs
    store = OneStore(parts, work: { work in jobs.yield(Job(run: work)) })
    Task {
      for await job in stream {
        // Late enough that a test that does not wait fails in every run.
        try? await Task.sleep(for: .milliseconds(5))
        job.run()
      }
    }
  }

  // What has been started goes on, and retains the inner store.
  deinit { jobs.finish() }

  var isReadOnly: Bool {
    get { store.isReadOnly }
    set { store.isReadOnly = newValue }
  }

  func load(_ id: String, completion: @escaping Completion) { store.load(id, completion: completion) }
  func save(_ receipt: Receipt, completion: @escaping Completion) { store.save(receipt, completion: completion) }
}
