import Given
import TestSupport
import Testing

@testable import ExerciseReceipts

@Suite("Step 3: peel", .oneAtATime)
struct Step3Peel {
  @Test("the store for our support never saves and never tracks")
  func composesSupport() async {
    guard isPeelable() else { return }
    let (journal, results) = (Inbox<String>(), Inbox<String>())
    let sut = makeReceipts(
      for: .support, disk: JournalingDisk(journal), now: Date.init, log: { _ in journal.receive("log") },
      track: { journal.receive("track \($0)") }, main: { $0() })
    sut.isReadOnly = false

    sut.save(Receipt(id: "1", text: "Tea")) { _ in results.receive("save") }
    #expect(results.values == ["save"], "For support, a save should fail before `save` returns, whatever the switch says.")
    for count in 2...3 {
      sut.load("1") { _ in results.receive("load") }
      await results.receives(count)
    }
    #expect(
      journal.values == ["read", "log"],
      "For support, the second load should come from the cache. Nothing should be written, and nothing tracked.")
  }

  @Test("the store for the widget neither caches nor tracks")
  func composesTheWidget() async {
    guard isPeelable() else { return }
    let (journal, results) = (Inbox<String>(), Inbox<String>())
    let sut = makeReceipts(
      for: .widget, disk: JournalingDisk(journal), now: Date.init, log: { _ in journal.receive("log") },
      track: { journal.receive("track \($0)") }, main: { $0() })

    sut.save(Receipt(id: "1", text: "Tea")) { _ in results.receive("save") }
    await results.receives(1)
    for count in 2...3 {
      sut.load("1") { _ in results.receive("load") }
      await results.receives(count)
    }
    #expect(
      journal.values == ["write", "log", "read", "log", "read", "log"],
      "For the widget, each load should read the disk, and nothing should be tracked. It saves, and logs, as the app does.")
  }

  @Test("in each environment, it does what the class did, whatever happens")
  func behavesAsBefore() async {
    guard isPeelable() else { return }
    await expectNoRunGoesWrong(count: 300, of: ReceiptsRun.randomEvents) { random in
      ReceiptsRun(random.pick(.app, .app, .support, .widget), isCopied: random.pick(false, true))
    }
  }

  /// Whether a test can watch the store. Otherwise, it would use the real files.
  private func isPeelable(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    let ignored = Inbox<String>()
    let sut = makeReceipts(
      disk: JournalingDisk(ignored), now: Date.init, log: ignored.receive, track: ignored.receive, main: { $0() })
    let isShared = sut === ReceiptStore.shared as any SwitchableReceiptService
    if isShared {
      Issue.record("`makeReceipts` returns the app's own store. Finish step 1 first.", sourceLocation: sourceLocation)
    }
    return !isShared
  }
}

/// A disk with a file of any name.
private struct JournalingDisk: Disk {
  private let journal: Inbox<String>

  init(_ journal: Inbox<String>) { self.journal = journal }

  func read(_ name: String) throws -> Data {
    journal.receive("read")
    return try JSONEncoder().encode(Receipt(id: "1", text: "Coffee"))
  }

  func write(_ data: Data, to name: String) throws {
    journal.receive("write")
  }
}
