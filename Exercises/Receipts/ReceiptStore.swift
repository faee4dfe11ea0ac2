import Given

/// Keeps the receipts of a customer's payments.
final class ReceiptStore {
  static let shared = ReceiptStore()

  /// Whether somebody from support is looking at the customer's phone.
  var isReadOnly = false

  private let queue = DispatchQueue(label: "receipts")
  private let lock = NSLock()
  private var cache: [String: (receipt: Receipt, date: Date)] = [:]

  func load(_ id: String, completion: @escaping (Result<Receipt, Error>) -> Void) {
    lock.lock()
    let entry = cache[id]
    lock.unlock()
    if let entry, Date().timeIntervalSince(entry.date) < 300 {
      if !isReadOnly { Analytics.shared.track("receipt_shown") }
      return completion(.success(entry.receipt))
    }

    let start = Date()
    queue.async {
      let result = Result { try JSONDecoder().decode(Receipt.self, from: Data(contentsOf: self.url(id))) }
      if case .success(let receipt) = result {
        self.lock.lock()
        self.cache[id] = (receipt, Date())
        self.lock.unlock()
        AppLog.shared.write("load \(id): \(Date().timeIntervalSince(start)) s")
      } else {
        AppLog.shared.write("load \(id) failed: \(Date().timeIntervalSince(start)) s")
      }
      DispatchQueue.main.async {
        if !self.isReadOnly {
          if case .success = result {
            Analytics.shared.track("receipt_shown")
          } else {
            Analytics.shared.track("receipt_missing")
          }
        }
        completion(result)
      }
    }
  }

  func save(_ receipt: Receipt, completion: @escaping (Result<Receipt, Error>) -> Void) {
    guard !isReadOnly else { return completion(.failure(ReceiptError.readOnly)) }

    let start = Date()
    queue.async {
      do {
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(receipt).write(to: self.url(receipt.id))
        self.lock.lock()
        self.cache[receipt.id] = nil
        self.lock.unlock()
        AppLog.shared.write("save \(receipt.id): \(Date().timeIntervalSince(start)) s")
        DispatchQueue.main.async {
          if !self.isReadOnly { Analytics.shared.track("receipt_saved") }
          completion(.success(receipt))
        }
      } catch {
        AppLog.shared.write("save \(receipt.id) failed: \(Date().timeIntervalSince(start)) s")
        DispatchQueue.main.async { completion(.failure(error)) }
      }
    }
  }

  private var folder: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("Receipts")
  }

  private func url(_ id: String) -> URL {
    folder.appendingPathComponent("\(id).json")
  }
}
