import Given
import TestSupport
import Testing

import class Given.Locked

@testable import ExerciseReceipts

@Suite("Step 1: cut seams", .oneAtATime)
struct Step1Seams {
  private let world = SeamWorld()

  @Test("it reads and writes the disk that is passed")
  func usesTheDisk() async {
    let ended = Inbox<Void>()
    let sut = world.makeSUT()

    // A load comes first: as shipped, a save would leave a file behind.
    sut.load(world.id) { _ in ended.receive(()) }
    await ended.receives(1)
    #expect(
      world.disk.values == ["read \(world.id).json"],
      "The store still reads the real files. Give its initializer a parameter of type `any Disk`, with a default for the app.")
    guard world.disk.values.count == 1 else { return }

    sut.save(Receipt(id: world.id, text: "Tea")) { _ in ended.receive(()) }
    await ended.receives(2)
    #expect(
      world.disk.values == ["read \(world.id).json", "write \(world.id).json"],
      "The store still writes the real files. Give its initializer a parameter of type `any Disk`, with a default for the app.")
  }

  @Test("it uses the log, analytics, and main queue that are passed")
  func usesTheOthers() async {
    let ended = Inbox<Void>()

    world.makeSUT().save(Receipt(id: world.id, text: "Tea")) { _ in ended.receive(()) }

    #expect(await ended.receives(1), "The save should be delivered, even if nothing but the save retains the store.")
    #expect(world.log.values.count == 1, "Write to the log that is passed, and not to `AppLog.shared`.")
    #expect(world.events.values == ["receipt_saved"], "Track with what is passed, and not with `Analytics.shared`.")
    #expect(
      world.hops.values.count == 1, "Deliver through the main queue that is passed, and not through `DispatchQueue.main`.")
  }

  @Test("it reads the time from the clock that is passed")
  func readsTheClock() async {
    let ended = Inbox<Void>()

    world.makeSUT().load(world.id) { _ in ended.receive(()) }
    await ended.receives(1)

    #expect(
      world.log.values == ["load \(world.id) failed: 7.0 s"],
      "Here, the disk needs seven seconds by the clock that is passed. Replace each `Date()` by a call of that clock.")
  }

  @Test("two stores share nothing")
  func sharesNothing() async {
    let ended = Inbox<Void>()
    let (one, other) = (world.makeSUT(), world.makeSUT())
    one.isReadOnly = true

    other.save(Receipt(id: world.id, text: "Tea")) { _ in ended.receive(()) }
    await ended.receives(1)

    withExtendedLifetime(other) {}
    #expect(
      world.disk.values == ["write \(world.id).json"],
      "Two stores share nothing, not even the switch. Make a new store in each call of `makeReceipts`.")
  }

  @Test("unchanged: the call sites work with the files, log, and analytics")
  func servesTheApp() async throws {
    let receipt = Receipt(id: world.id, text: "Coffee")
    let (saves, screen, support) = (Inbox<Bool>(), ReceiptScreen(), SupportSession())
    // As shipped, all stores are one. With `KATA_ALL`, other tests turn its switch at the same moment, and another run may remove the
    // empty folder. So a save has three attempts.
    func save(_ shouldSave: Bool) async {
      for attempt in 1...3 where attempt == 1 || saves.values.last != shouldSave {
        let count = saves.values.count
        await perform("the support session", on: .main) { shouldSave ? support.end() : support.begin() }
        await perform("the app's call to `save`", on: .main) {
          addNote("Thanks", to: receipt) { saves.receive($0 && MainQueue.isCurrent) }
        }
        await saves.receives(count + 1)
      }
    }

    await save(false)
    #expect(saves.values.last == false, "A support session should turn the switch of `ReceiptStore.shared`.")
    await save(true)
    #expect(saves.values.last == true, "`ReceiptStore.shared` should save, and deliver on the real main queue.")
    let data = try? Data(contentsOf: world.realFile)
    #expect(
      data.flatMap { try? JSONDecoder().decode(Receipt.self, from: $0) }?.text == "Coffee\nThanks",
      "Our customers have files already, so `ReceiptStore.shared` should use the same ones: \(world.realFile.path).")

    world.removeTheRealFolder()
    await save(true)
    #expect(
      saves.values.last == true, "The system may remove the folder at any time. Create it before each write, as the class did.")

    for _ in 1...2 { await perform("the screen", on: .main) { screen.open(world.id) } }
    let isShown = await eventually { await MainActor.run { !screen.isWaiting && screen.text == "Coffee\nThanks" } }
    #expect(isShown, "A screen that uses `ReceiptStore.shared` should show the receipt.")
    #expect(
      AppLog.shared.lines.contains { $0.hasPrefix("save \(world.id): ") },
      "`ReceiptStore.shared` should write to the app's log. Look at the default of your parameter.")
    #expect(
      Analytics.shared.events.contains("receipt_saved"),
      "`ReceiptStore.shared` should use the app's analytics. Look at the default of your parameter.")
    world.removeTheRealFolder()
  }
}

/// Everything around a store. The disk needs seven seconds, and everything that is passed to the main queue runs immediately.
private final class SeamWorld: Disk, @unchecked Sendable {
  /// The ID of a receipt that no other test has.
  let id = "kata-\(UUID().uuidString.prefix(8))"
  let (disk, log, events) = (Inbox<String>(), Inbox<String>(), Inbox<String>())
  let hops = Inbox<Void>()
  private let time = Locked(Date(timeIntervalSince1970: 0))

  /// Where the class keeps the receipt.
  var realFile: URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("Receipts").appendingPathComponent("\(id).json")
  }

  // Nothing stays in the temporary folder.
  deinit { removeTheRealFiles() }

  func removeTheRealFiles() {
    let folder = realFile.deletingLastPathComponent()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where name.contains(id) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Removes the folder, unless it holds something else. Only one test may do so: the others run at the same moment.
  func removeTheRealFolder() {
    removeTheRealFiles()
    rmdir(realFile.deletingLastPathComponent().path)
  }

  func makeSUT() -> any SwitchableReceiptService {
    makeReceipts(
      disk: self, now: { self.time.withLock { $0 } }, log: log.receive, track: events.receive,
      main: { work in
        self.hops.receive(())
        work()
      })
  }

  func read(_ name: String) throws -> Data {
    disk.receive("read \(name)")
    time.withLock { $0 += 7 }
    throw CocoaError(.fileReadNoSuchFile)
  }

  func write(_ data: Data, to name: String) throws {
    disk.receive("write \(name)")
  }
}
