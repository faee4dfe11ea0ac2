import Given
import TestSupport
import Testing

@testable import Exercise8

@Suite("Step 3: contexts", .oneAtATime)
struct Step3Contexts {
  @Test("the debug context logs and tracks")
  func logsAndTracksInDebug() async {
    await expect(
      .debug, logs: true, tracks: true,
      "In the debug context, log every load of transactions, and track every successful load of items.")
  }

  @Test("the release context only tracks")
  func onlyTracksInRelease() async {
    await expect(
      .release, logs: false, tracks: true, "In the release context, track every successful load of items, and log nothing.")
  }

  @Test("the test context neither logs nor tracks")
  func doesNeitherInTests() async {
    await expect(.tests, logs: false, tracks: false, "In the tests context, log nothing and track nothing.")
  }

  private func expect(
    _ context: CompositionRoot.Context, logs: Bool, tracks: Bool, _ rule: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await story(.app(context), rule, sourceLocation: sourceLocation) { scene in
      func end(_ number: Int, _ ending: LoadEnding, _ effect: String?, _ returned: String) async {
        let effects = [effect, returned].compactMap { $0 }
        await scene.end(number, with: ending, leadsTo: effects)
      }
      await scene.load(.transactions, leadsTo: "load 1 requests the transactions")
      await end(
        1, .success(1), logs ? #"logged: "\#(LoadMessage.loaded(1, in: .zero))""# : nil,
        #"load 1 returns ["Tea 1"]"#)
      await scene.load(.items, leadsTo: "load 2 requests the items")
      await end(
        2, .success(1), tracks ? #"tracked: ["Tea 2"]"# : nil, #"load 2 returns ["Tea 2"]"#)
      await scene.load(.transactions, leadsTo: "load 3 requests the transactions")
      await end(
        3, .failure(.offline), logs ? #"logged: "\#(LoadMessage.failed(after: .zero))""# : nil,
        "load 3 throws \(Trouble.offline.inWords)")
    }
  }
}
