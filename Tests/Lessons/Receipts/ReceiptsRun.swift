import Given
import TestSupport
import Testing

import class Given.Locked

@testable import ExerciseReceipts

/// A store, and beside it the class as it was. What that one does is what is expected of the other.
final class ReceiptsRun: RandomRun {
  /// What else happens while the disk is in use.
  struct Interruption: Sendable {
    /// What the app does.
    enum Act: String, CaseIterable {
      case load = "loads the same receipt"
      case save = "saves another version of that receipt"
      case turnTheSwitch = "turns the switch"
      case saveAndRelease = "saves another version of that receipt, and releases the store"
    }

    let act: Act
    /// Whether the disk then breaks, or works again: before what the app has called uses it.
    let breaksTheDisk: Bool
  }

  private let yours: Side
  private let original: Side
  /// Each text is saved once.
  private var version = 0

  /// - Parameters:
  ///   - environment: Where the store is used.
  ///   - isCopied: Whether the file of receipt 1 has been copied to the place of receipt 2.
  init(_ environment: ReceiptsEnvironment, isCopied: Bool = false) {
    let files = isCopied ? ["1.json", "2.json"] : ["1.json"]
    (yours, original) = (Side(files), Side(files))
    super.init(
      setting: """
        There is a store for the environment `\(environment)`, and receipt 1 is on the disk\(isCopied ? ", also as 2.json" : ""). \
        Each use of the disk takes a second. The main queue runs nothing until an event says so.
        """)
    original.use(OneStore(original.parts(for: environment), work: Jobs().add))
    let parts = yours.parts(for: environment)
    let store = ExerciseReceipts.makeReceipts(
      for: environment, disk: parts.disk, now: parts.now, log: parts.log, track: parts.track, main: parts.main)
    leaks.track(store as AnyObject, as: "the store")
    yours.use(store)
  }

  /// The app loads a receipt.
  ///
  /// - Parameters:
  ///   - id: The ID of the receipt.
  ///   - next: The ID of a receipt that the app loads while it receives this one; `nil` for none.
  ///   - isOnMainQueue: Whether the app calls `load` on the main queue.
  ///   - interruption: What else the app does while the disk is in use.
  func load(_ id: String, then next: String? = nil, isOnMainQueue: Bool = false, while interruption: Interruption? = nil) async {
    let loadsNext = next.map { ", and when it receives that, loads receipt \($0) on another queue" } ?? ""
    await call("loads receipt \(id)\(loadsNext)", id, isOnMainQueue, interruption) { $0.load(id, then: next) }
  }

  /// The app saves a receipt.
  ///
  /// - Parameters:
  ///   - id: The ID of the receipt.
  ///   - isOnMainQueue: Whether the app calls `save` on the main queue.
  ///   - interruption: What else the app does while the disk is in use.
  func save(_ id: String, isOnMainQueue: Bool = false, while interruption: Interruption? = nil) async {
    let receipt = newVersion(of: id)
    await call("saves \(receipt.text) of receipt \(id)", id, isOnMainQueue, interruption) { $0.save(receipt) }
  }

  private func call(
    _ words: String, _ id: String, _ isOnMainQueue: Bool, _ interruption: Interruption?, _ call: @escaping (Side) -> Void
  ) async {
    guard yours.hasStore else { return }
    let receipt = newVersion(of: id)
    for side in [yours, original] { side.duringTheNextUse(interruption.map { ($0, receipt) }) }
    call(original)
    var happens = ""
    if let interruption, original.isInterrupted {
      happens = " While the disk is in use, it also \(interruption.act.rawValue)."
      if interruption.breaksTheDisk { happens += original.isBroken ? " Then the disk fails." : " Then the disk works again." }
    } else {
      for side in [yours, original] { side.duringTheNextUse(nil) }
    }
    await event("The app \(words)\(isOnMainQueue ? ", on the main queue" : "").\(happens)") {
      await perform("the app's call", on: isOnMainQueue ? .main : .newBackgroundQueue) { [yours] in call(yours) }
    }
  }

  /// The main queue runs the block that has waited for longest.
  func runMain() async {
    guard let block = original.nextBlock else { return }
    original.run(block)
    await event("The main queue runs block \(block).") {
      await perform("block \(block)", on: .main) { [yours] in yours.run(block) }
    }
  }

  func pass(seconds: Int) async {
    for side in [yours, original] { side.pass(seconds: TimeInterval(seconds)) }
    await event("\(seconds) seconds pass.")
  }

  func turnTheSwitch() async {
    guard let isReadOnly = original.isReadOnly.map({ !$0 }) else { return }
    original.setReadOnly(isReadOnly)
    await event("The app sets `isReadOnly` to \(isReadOnly).") { yours.setReadOnly(isReadOnly) }
  }

  func breakOrRepairTheDisk() async {
    for side in [yours, original] { side.breakOrRepair() }
    await event(original.isBroken ? "The disk fails from now on." : "The disk works again.")
  }

  override func release() async {
    guard yours.hasStore else { return }
    original.release()
    await event("The app releases the store.") { yours.release() }
  }

  override func observed() async -> [String] { yours.entries }

  override var predicted: [String] { original.entries }

  override func nextEnding() -> (() async -> Void)? {
    original.nextBlock == nil ? nil : { await self.runMain() }
  }

  private func newVersion(of id: String) -> Receipt {
    version += 1
    return Receipt(id: id, text: "version \(version)")
  }
}

extension ReceiptsRun {
  /// What can happen.
  static var randomEvents: [RandomEvent<ReceiptsRun>] {
    let ids = ["1", "2"]
    return [
      RandomEvent(8) { run, random in
        let next = random.pick(nil, nil, nil, random.pick(from: ids))
        await run.load(
          random.pick(from: ids), then: next, isOnMainQueue: random.pick(false, true), while: interruption(using: &random))
      },
      RandomEvent(4) { run, random in
        await run.save(
          random.pick(from: ids), isOnMainQueue: random.pick(false, true), while: interruption(using: &random))
      },
      RandomEvent(6) { run, _ in await run.runMain() },
      RandomEvent(2) { run, random in await run.pass(seconds: random.pick(1, 298, 299, 300)) },
      RandomEvent(1) { run, _ in await run.turnTheSwitch() },
      RandomEvent(2) { run, _ in await run.breakOrRepairTheDisk() },
      // Afterward, nothing can be loaded.
      RandomEvent(1) { run, _ in await run.release() },
    ]
  }

  private static func interruption(using random: inout SeededRandom) -> Interruption? {
    let interruption = Interruption(act: random.pick(from: Interruption.Act.allCases), breaksTheDisk: random.pick(false, true))
    return random.pick(nil, interruption)
  }
}

/// A store, and everything around it. All of it writes to one list.
private final class Side: Disk, @unchecked Sendable {
  private struct State {
    var store: (any SwitchableReceiptService)?
    var entries: [String] = []
    /// What has been passed to the main queue; `nil` for what it has run.
    var blocks: [(() -> Void)?] = []
    var files: [String: Data] = [:]
    var time = Date(timeIntervalSince1970: 0)
    var isBroken = false
    var isReadOnly = false
    var interruption: (ReceiptsRun.Interruption, Receipt)?
    var isInterrupted = false
  }

  private let state = Locked(State())

  init(_ files: [String]) {
    let data = try? JSONEncoder().encode(Receipt(id: "1", text: "version 0"))
    state.withLock { state in for file in files { state.files[file] = data } }
  }

  var entries: [String] { state.withLock { $0.entries } }
  var hasStore: Bool { state.withLock { $0.store != nil } }
  /// The number of the block that has waited for longest, counted from 1.
  var nextBlock: Int? { state.withLock { $0.blocks.firstIndex { $0 != nil }.map { $0 + 1 } } }
  var isBroken: Bool { state.withLock { $0.isBroken } }
  /// Where the switch has been turned to. (For our support, a store need not say what the app has set.)
  var isReadOnly: Bool? { state.withLock { state in state.store.map { _ in state.isReadOnly } } }
  /// Whether what should happen during the next use of the disk has happened.
  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  func parts(for environment: ReceiptsEnvironment) -> ReceiptParts {
    ReceiptParts(
      environment: environment, disk: self, now: { self.state.withLock { $0.time } }, log: { self.note("log: \($0)") },
      track: { self.note("analytics: \($0)") },
      main: { block in
        let number = self.state.withLock { state in
          state.blocks.append(block)
          return state.blocks.count
        }
        self.note("block \(number) is passed to the main queue")
      })
  }

  func use(_ store: any SwitchableReceiptService) { state.withLock { $0.store = store } }

  func load(_ id: String, then next: String? = nil) {
    store?.load(id) { result in
      self.note("the app receives \(result.inWords) for receipt \(id)")
      if let next { self.elsewhere("a call waits until a completion has returned") { self.load(next) } }
    }
  }

  func save(_ receipt: Receipt) {
    store?.save(receipt) { self.note("the app receives \($0.inWords) for its save of receipt \(receipt.id)") }
  }

  func setReadOnly(_ isReadOnly: Bool) {
    state.withLock { $0.isReadOnly = isReadOnly }
    store?.isReadOnly = isReadOnly
  }

  func release() {
    // The last reference may be this one, and a store must not be deallocated while the lock is locked.
    let last = store
    state.withLock { $0.store = nil }
    withExtendedLifetime(last) {}
  }

  func pass(seconds: TimeInterval) { state.withLock { $0.time += seconds } }

  func breakOrRepair() { state.withLock { $0.isBroken.toggle() } }

  /// Runs a block. What it calls may need the disk, at the same time as another block would.
  func run(_ number: Int) {
    let block = state.withLock { state -> (() -> Void)? in
      guard state.blocks.indices.contains(number - 1) else { return nil }
      return state.blocks[number - 1].take()
    }
    block?()
  }

  func duringTheNextUse(_ interruption: (ReceiptsRun.Interruption, Receipt)?) {
    state.withLock { ($0.interruption, $0.isInterrupted) = (interruption, false) }
  }

  private func happens(_ interruption: ReceiptsRun.Interruption, with receipt: Receipt) {
    switch interruption.act {
    case .load: load(receipt.id)
    case .save: save(receipt)
    case .turnTheSwitch: setReadOnly(isReadOnly == false)
    case .saveAndRelease:
      save(receipt)
      release()
    }
    if interruption.breaksTheDisk { breakOrRepair() }
  }

  func read(_ name: String) throws -> Data {
    try use("read \(name)") { state in
      guard !state.isBroken, let data = state.files[name] else { throw CocoaError(.fileReadNoSuchFile) }
      return data
    }
  }

  func write(_ data: Data, to name: String) throws {
    let text = (try? JSONDecoder().decode(Receipt.self, from: data).text) ?? "something else"
    try use("write \(text) to \(name)") { state in
      if state.isBroken { throw CocoaError(.fileWriteOutOfSpace) }
      state.files[name] = data
    }
  }

  private var store: (any SwitchableReceiptService)? { state.withLock { $0.store } }

  private func note(_ entry: String) {
    state.withLock { $0.entries.append("\($0.entries.count + 1). \(entry)") }
  }

  /// The disk is used for a second.
  private func use<Outcome>(_ words: String, _ access: (inout State) throws -> Outcome) throws -> Outcome {
    note("disk: \(words)\(MainQueue.isCurrent ? ", on the main queue" : "")")
    // The second passes after the interruption: what has been called by then waits for that long.
    defer { pass(seconds: 1) }
    let (outcome, interruption) = state.withLock { state in
      if state.interruption != nil { state.isInterrupted = true }
      return (Result { try access(&state) }, state.interruption.take())
    }
    if let (interruption, receipt) = interruption {
      elsewhere("a call returns only when the disk is free") { self.happens(interruption, with: receipt) }
    }
    return try outcome.get()
  }

  /// Lets something happen on another queue, and waits until it has, which takes no time. If it takes forever, that is noted.
  private func elsewhere(_ complaint: String, _ work: @escaping @Sendable () -> Void) {
    if !onAnotherThread(for: Deadline.long / 4, work) { note(complaint) }
  }
}

/// Runs one job after the other, as a queue does, but before `add` returns.
private final class Jobs: Sendable {
  private struct State {
    var waiting: [() -> Void] = []
    var isRunning = false
  }

  private let state = Locked(State())

  @Sendable func add(_ job: @escaping () -> Void) {
    state.withLock { $0.waiting.append(job) }
    guard
      state.withLock({ state in
        defer { state.isRunning = true }
        return !state.isRunning
      })
    else { return }
    while let job = next() { job() }
  }

  private func next() -> (() -> Void)? {
    state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}

extension Result<Receipt, any Error> {
  fileprivate var inWords: String {
    switch self {
    case .success(let receipt): receipt.text
    case .failure(is ReceiptError): "the error `readOnly`"
    case .failure: "the disk's error"
    }
  }
}
