import Given
import TestSupport
import Testing

import class Given.Locked

@testable import ExerciseReceipts

@Suite("Your tests", .oneAtATime)
struct YourTests {
  static let all: [YourTest] = [
    logsALoadEvenIfTheMainQueueIsBusy, loadsFromTheDisk, missesAFile, saves, failsToSave, deliversAHitBeforeLoadReturns,
    readsTheDiskAgainAfterFiveMinutes, readsTheDiskAgainAfterASave, readsTheDiskAgainAfterAFailure, refusesToSaveWhenReadOnly,
    tracksByTheSwitchAtDelivery, cachesBeforeTheMainQueueDelivers, leavesTheDiskToAnotherQueue, savesEvenIfNothingRetainsIt,
  ]

  private let world = World()

  @Test func logsALoadEvenIfTheMainQueueIsBusy() async throws {
    let disk = DiskSpy(Receipt(id: "1", text: "Coffee"))
    let (log, events, mainQueue) = (Inbox<String>(), Inbox<String>(), Inbox<() -> Void>())
    let results = Inbox<Result<Receipt, any Error>>()
    var time = Date(timeIntervalSince1970: 0)
    let sut = makeReceipts(disk: disk, now: { time }, log: log.receive, track: events.receive, main: mainQueue.receive)

    sut.load("1", completion: results.receive)
    await mainQueue.receives(1)
    #expect(log.values == ["load 1: 0.0 s"])
    #expect(results.values.isEmpty)

    // The main queue gets its turn a minute later.
    time += 60
    mainQueue.values.first?()
    await results.receives(1)
    #expect(log.values == ["load 1: 0.0 s"])
    #expect(try results.values.first?.get().text == "Coffee")
  }

  @Test func loadsFromTheDisk() async {
    world.put("Coffee")
    world.load()
    await world.journal.receives(3)
    #expect(world.journal.values == ["read 1.json", "log: load 1: 2.0 s", "passed to main"])

    world.runMain()
    #expect(world.journal.values.dropFirst(3) == ["track receipt_shown", "result: Coffee"])
  }

  @Test func missesAFile() async {
    world.load()
    await world.journal.receives(3)
    world.runMain()
    #expect(
      world.journal.values == [
        "read 1.json", "log: load 1 failed: 2.0 s", "passed to main", "track receipt_missing", "result: failure",
      ])
  }

  @Test func saves() async {
    world.save("Tea")
    await world.journal.receives(3)
    #expect(world.journal.values == ["write Tea to 1.json", "log: save 1: 2.0 s", "passed to main"])

    world.runMain()
    #expect(world.journal.values.dropFirst(3) == ["track receipt_saved", "result: Tea"])
  }

  @Test func failsToSave() async {
    world.isFull = true
    world.save("Tea")
    await world.journal.receives(3)
    world.runMain()
    #expect(
      world.journal.values == ["write Tea to 1.json", "log: save 1 failed: 2.0 s", "passed to main", "result: failure"])
  }

  @Test func deliversAHitBeforeLoadReturns() async {
    await world.fillTheCache(with: "Coffee")

    world.load()
    // Nothing waits here: it is there already.
    #expect(world.journal.values.dropFirst(5) == ["track receipt_shown", "result: Coffee"])
  }

  @Test func readsTheDiskAgainAfterFiveMinutes() async {
    await world.fillTheCache(with: "Coffee")
    world.time += 299
    world.load()
    #expect(world.journal.values.last == "result: Coffee")

    // Five minutes after it was read, although it has been shown since.
    world.time += 1
    world.load()
    await world.journal.receives(10)
    #expect(world.journal.values.dropFirst(7) == ["read 1.json", "log: load 1: 2.0 s", "passed to main"])
  }

  @Test func readsTheDiskAgainAfterASave() async {
    await world.fillTheCache(with: "Coffee")
    world.save("Tea")
    await world.journal.receives(8)

    // Even before the save is delivered.
    world.load()
    await world.journal.receives(11)
    world.runMain()
    #expect(world.journal.values.dropFirst(8).first == "read 1.json")
    #expect(world.journal.values.last == "result: Tea")
  }

  @Test func readsTheDiskAgainAfterAFailure() async {
    world.load()
    await world.journal.receives(3)
    world.put("Tea")
    world.load()
    await world.journal.receives(6)
    #expect(world.journal.values.dropFirst(3) == ["read 1.json", "log: load 1: 2.0 s", "passed to main"])
  }

  @Test func refusesToSaveWhenReadOnly() {
    world.sut.isReadOnly = true
    world.save("Tea")
    #expect(world.journal.values == ["result: read-only"])
  }

  @Test func tracksByTheSwitchAtDelivery() async {
    world.put("Coffee")
    world.load()
    world.save("Tea")
    await world.journal.receives(6)
    world.sut.isReadOnly = true
    world.runMain()
    #expect(world.journal.values.dropFirst(6) == ["result: Coffee", "result: Tea"])
  }

  @Test func cachesBeforeTheMainQueueDelivers() async {
    world.put("Coffee")
    world.load()
    await world.journal.receives(3)

    // The main queue is busy, and the first caller still waits.
    world.load()
    #expect(world.journal.values.dropFirst(3) == ["track receipt_shown", "result: Coffee"])
  }

  @Test func leavesTheDiskToAnotherQueue() async {
    world.put("Coffee")
    await MainActor.run {
      world.load()
      world.save("Tea")
    }
    await world.journal.receives(6)
    #expect(world.usesTheDiskOnMain == [false, false])
  }

  @Test func savesEvenIfNothingRetainsIt() async {
    world.makeSUT().save(Receipt(id: "1", text: "Tea"), completion: world.receive)
    await world.journal.receives(3)
    world.runMain()
    #expect(world.journal.values.last == "result: Tea")
  }
}

/// Files in memory.
private final class DiskSpy: Disk {
  private(set) var files: [String: Data] = [:]

  init(_ receipts: Receipt...) {
    for receipt in receipts { files["\(receipt.id).json"] = try? JSONEncoder().encode(receipt) }
  }

  func read(_ name: String) throws -> Data {
    guard let data = files[name] else { throw CocoaError(.fileReadNoSuchFile) }
    return data
  }

  func write(_ data: Data, to name: String) throws {
    files[name] = data
  }
}

/// Everything around a store. All of it writes to one journal, so that a test sees the order. The main queue runs nothing until
/// the test says so, and the disk needs two seconds.
private final class World: Disk, @unchecked Sendable {
  let journal = Inbox<String>()
  private let state = Locked(State())
  private(set) lazy var sut = makeSUT()

  private struct State {
    var files: [String: Data] = [:]
    var isFull = false
    var time = 0.0
    var usesTheDiskOnMain: [Bool] = []
    var blocks: [() -> Void] = []
  }

  var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  var time: Double {
    get { state.withLock { $0.time } }
    set { state.withLock { $0.time = newValue } }
  }

  var usesTheDiskOnMain: [Bool] { state.withLock { $0.usesTheDiskOnMain } }

  func makeSUT() -> any SwitchableReceiptService {
    makeReceipts(
      disk: self, now: { Date(timeIntervalSince1970: self.time) }, log: { self.journal.receive("log: \($0)") },
      track: { self.journal.receive("track \($0)") },
      main: { block in
        self.state.withLock { $0.blocks.append(block) }
        self.journal.receive("passed to main")
      })
  }

  func load() { sut.load("1", completion: receive) }

  func save(_ text: String) { sut.save(Receipt(id: "1", text: text), completion: receive) }

  func receive(_ result: Result<Receipt, any Error>) {
    let outcome = result.text ?? (result.failure is ReceiptError ? "read-only" : "failure")
    journal.receive("result: \(outcome)")
  }

  /// Runs what has been passed to the main queue.
  func runMain() {
    let blocks = state.withLock { state in
      defer { state.blocks = [] }
      return state.blocks
    }
    for block in blocks { block() }
  }

  func put(_ text: String) {
    state.withLock { $0.files["1.json"] = try? JSONEncoder().encode(Receipt(id: "1", text: text)) }
  }

  /// Loads a receipt, so that it is in the cache. That takes five entries in the journal.
  func fillTheCache(with text: String) async {
    put(text)
    load()
    await journal.receives(3)
    runMain()
    await journal.receives(5)
  }

  func read(_ name: String) throws -> Data {
    try state.withLock { state in
      useTheDisk(&state, for: "read \(name)")
      guard let data = state.files[name] else { throw CocoaError(.fileReadNoSuchFile) }
      return data
    }
  }

  func write(_ data: Data, to name: String) throws {
    let text = try JSONDecoder().decode(Receipt.self, from: data).text
    try state.withLock { state in
      useTheDisk(&state, for: "write \(text) to \(name)")
      if state.isFull { throw CocoaError(.fileWriteOutOfSpace) }
      state.files[name] = data
    }
  }

  private func useTheDisk(_ state: inout State, for entry: String) {
    journal.receive(entry)
    state.usesTheDiskOnMain.append(MainQueue.isCurrent)
    state.time += 2
  }
}

extension Result<Receipt, any Error> {
  fileprivate var text: String? { try? get().text }
}
