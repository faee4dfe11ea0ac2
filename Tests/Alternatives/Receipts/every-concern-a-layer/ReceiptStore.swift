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

/// Reads and writes receipts on a queue of its own, and delivers there.
final class DiskReceipts: ReceiptService {
  private let disk: any Disk
  private let queue = DispatchQueue(label: "receipts")

  init(disk: any Disk) { self.disk = disk }

  func load(_ id: String, completion: @escaping Completion) {
    queue.async { [disk] in
      completion(Result { try JSONDecoder().decode(Receipt.self, from: disk.read("\(id).json")) })
    }
  }

  func save(_ receipt: Receipt, completion: @escaping Completion) {
    queue.async { [disk] in
      completion(Result { try disk.write(JSONEncoder().encode(receipt), to: "\(receipt.id).json") }.map { receipt })
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
