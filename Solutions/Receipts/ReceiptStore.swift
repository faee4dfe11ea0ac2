import Given

/// The receipts, as the app's call sites know them: a shared object with a switch, in front of the layers.
final class ReceiptStore: SwitchableReceiptService {
  static let shared = makeReceipts(
    disk: FileDisk(), now: Date.init, log: AppLog.shared.write, track: Analytics.shared.track,
    main: { DispatchQueue.main.async(execute: $0) })

  private let layers: any ReceiptService
  private let readOnly: Switch

  init(_ layers: any ReceiptService, readOnly: Switch) {
    self.layers = layers
    self.readOnly = readOnly
  }

  var isReadOnly: Bool {
    get { readOnly.isOn }
    set { readOnly.isOn = newValue }
  }

  func load(_ id: String, completion: @escaping Completion) {
    layers.load(id, completion: completion)
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    layers.save(receipt, completion: completion)
  }
}

/// Reads and writes files on a queue of its own, logs how long that takes, and delivers on the main queue.
///
/// What every environment needs stays together. It fills the cache, since a receipt has to be there before the main queue gets its
/// turn.
final class DiskReceipts: ReceiptService {
  private let disk: any Disk
  private let cache: ReceiptCache?
  private let now: () -> Date
  private let log: (String) -> Void
  private let main: MainQueueRunner
  private let queue = DispatchQueue(label: "receipts")

  init(
    disk: any Disk, filling cache: ReceiptCache?, now: @escaping () -> Date, log: @escaping (String) -> Void,
    main: @escaping MainQueueRunner
  ) {
    self.disk = disk
    self.cache = cache
    self.now = now
    self.log = log
    self.main = main
  }

  func load(_ id: String, completion: @escaping Completion) {
    let start = now()
    queue.async {
      let result = Result { try JSONDecoder().decode(Receipt.self, from: self.disk.read("\(id).json")) }
      if case .success(let receipt) = result {
        self.cache?[id] = receipt
        self.log("load \(id): \(self.now().timeIntervalSince(start)) s")
      } else {
        self.log("load \(id) failed: \(self.now().timeIntervalSince(start)) s")
      }
      self.main { completion(result) }
    }
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    let start = now()
    queue.async {
      do {
        try self.disk.write(JSONEncoder().encode(receipt), to: "\(receipt.id).json")
        self.cache?[receipt.id] = nil
        self.log("save \(receipt.id): \(self.now().timeIntervalSince(start)) s")
        self.main { completion(.success(receipt)) }
      } catch {
        self.log("save \(receipt.id) failed: \(self.now().timeIntervalSince(start)) s")
        self.main { completion(.failure(error)) }
      }
    }
  }
}

/// The app's files, in the folder that the class used. Receipts that matter do not belong in a temporary folder.
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
