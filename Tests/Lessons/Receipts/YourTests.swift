import Given
import TestSupport
import Testing

@testable import ExerciseReceipts

@Suite("Your tests", .oneAtATime)
struct YourTests {
  // Write your characterization tests here, as `@Test` methods without parameters (`async` and `throws` as you like), and list
  // each one by its name: `[logsALoad]`. Make each store with `makeReceipts`: the suite runs what is listed against other
  // stores, too.
  static let all: [YourTest] = []
}

/// Files in memory. Change it as you like. (On which queue is it used? `MainQueue.isCurrent` says whether it is the main queue.)
private final class DiskSpy: Disk {
  private(set) var files: [String: Data] = [:]
  private(set) var reads: [String] = []

  init(_ receipts: Receipt...) {
    for receipt in receipts { files["\(receipt.id).json"] = try? JSONEncoder().encode(receipt) }
  }

  func read(_ name: String) throws -> Data {
    reads.append(name)
    guard let data = files[name] else { throw CocoaError(.fileReadNoSuchFile) }
    return data
  }

  func write(_ data: Data, to name: String) throws {
    files[name] = data
  }
}
