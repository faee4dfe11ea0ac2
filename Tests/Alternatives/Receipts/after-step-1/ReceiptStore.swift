import Given

/// Keeps the receipts of a customer's payments.
final class ReceiptStore {
  static let shared = ReceiptStore()

  /// Whether somebody from support is looking at the customer's phone.
  var isReadOnly = false

  private let disk: any Disk
  private let now: () -> Date
  private let log: (String) -> Void
  private let track: (String) -> Void
  private let main: MainQueueRunner
  private let queue = DispatchQueue(label: "receipts")
  private let lock = NSLock()
  private var cache: [String: (receipt: Receipt, date: Date)] = [:]

  init(
    disk: any Disk = FileDisk(), now: @escaping () -> Date = Date.init,
    log: @escaping (String) -> Void = AppLog.shared.write, track: @escaping (String) -> Void = Analytics.shared.track,
    main: @escaping MainQueueRunner = { DispatchQueue.main.async(execute: $0) }
  ) {
    self.disk = disk
    self.now = now
    self.log = log
    self.track = track
    self.main = main
  }

  func load(_ id: String, completion: @escaping (Result<Receipt, Error>) -> Void) {
    lock.lock()
    let entry = cache[id]
    lock.unlock()
    if let entry, now().timeIntervalSince(entry.date) < 300 {
      if !isReadOnly { track("receipt_shown") }
      return completion(.success(entry.receipt))
    }

    let start = now()
    queue.async {
      let result = Result { try JSONDecoder().decode(Receipt.self, from: self.disk.read("\(id).json")) }
      if case .success(let receipt) = result {
        self.lock.lock()
        self.cache[id] = (receipt, self.now())
        self.lock.unlock()
        self.log("load \(id): \(self.now().timeIntervalSince(start)) s")
      } else {
        self.log("load \(id) failed: \(self.now().timeIntervalSince(start)) s")
      }
      self.main {
        if !self.isReadOnly {
          if case .success = result {
            self.track("receipt_shown")
          } else {
            self.track("receipt_missing")
          }
        }
        completion(result)
      }
    }
  }

  func save(_ receipt: Receipt, completion: @escaping (Result<Receipt, Error>) -> Void) {
    guard !isReadOnly else { return completion(.failure(ReceiptError.readOnly)) }

    let start = now()
    queue.async {
      do {
        try self.disk.write(JSONEncoder().encode(receipt), to: "\(receipt.id).json")
        self.lock.lock()
        self.cache[receipt.id] = nil
        self.lock.unlock()
        self.log("save \(receipt.id): \(self.now().timeIntervalSince(start)) s")
        self.main {
          if !self.isReadOnly { self.track("receipt_saved") }
          completion(.success(receipt))
        }
      } catch {
        self.log("save \(receipt.id) failed: \(self.now().timeIntervalSince(start)) s")
        self.main { completion(.failure(error)) }
      }
    }
  }
}

/// The app's files.
struct FileDisk: Disk {
  private var folder: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("Receipts")
  }

  func read(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  func write(_ data: Data, to name: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent(name))
  }
}
