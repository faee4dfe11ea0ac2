import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 4: take one layer out", .oneAtATime)
struct Step4TakeOneLayerOut {
  @Test("a debug client with `blocksAccounts: false` ignores the block list")
  func debugWithoutBlocking() async {
    await traces(
      .expired, "Without the block list, a debug client should have all its other layers, and leave the list alone."
    ) {
      $0.backEnd(responds: .permanentBlock)
      $0.blockList(hasAccount: true)
      await $0.load(
        with: $0.makeClient(for: .debug, blocksAccounts: false),
        leadsTo: [
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "stopwatch: time?",
          "server: GET /articles is sent with new-token",
          "stopwatch: time?", "log: GET /articles 403, 0.0 seconds",
          "caller: \(StubServer.Response.permanentBlock.result)",
        ])
    }
  }

  @Test("a production client with `blocksAccounts: false` ignores the block list")
  func productionWithoutBlocking() async {
    await traces(
      .expired,
      "Without the block list, a production client should still refresh credentials, but leave the list alone."
    ) {
      $0.backEnd(responds: .permanentBlock)
      $0.blockList(hasAccount: true)
      await $0.load(
        with: $0.makeClient(for: .production, blocksAccounts: false),
        leadsTo: [
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token",
          "caller: \(StubServer.Response.permanentBlock.result)",
        ])
    }
  }

  @Test("debug and production clients check the block list by default")
  func blocksByDefault() async {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production], "blocksAccounts", in: [nil, true]) {
      (environment: HTTPClientFactory.Environment, blocksAccounts: Bool?) in
      await traces(.valid, "If blocking is on, as it is by default, a blocked account's request should stop at the block list.") {
        $0.blockList(hasAccount: true)
        await $0.load(
          with: $0.makeClient(for: environment, blocksAccounts: blocksAccounts),
          leadsTo: ["block list: blocked?", "caller: permanentlyBlocked"])
      }
    }
  }

  @Test("`blocksAccounts: false` for one client affects no other client")
  func switchesOneClient() async {
    await each("first client", in: ["with blocking", "without"]) { first in
      await traces(
        .valid, "Whether a client has the block list should depend on its own arguments, not on what else the factory has made."
      ) {
        $0.blockList(hasAccount: true)
        let one = $0.makeClient(for: .production, blocksAccounts: first == "with blocking")
        let other = $0.makeClient(for: .production, blocksAccounts: first != "with blocking")
        let (on, off) = first == "with blocking" ? (one, other) : (other, one)
        await $0.load(with: on, leadsTo: ["block list: blocked?", "caller: permanentlyBlocked"])
        await $0.load(
          with: off, leadsTo: ["store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"])
      }
    }
  }

  @Test("a guest client ignores the block list, whatever the value of `blocksAccounts`")
  func guestWithoutBlocking() async {
    await each("blocking", in: [true, false]) { isOn in
      await traces(.valid, "A guest client serves no account, so `blocksAccounts` should make no difference.") {
        $0.blockList(hasAccount: true)
        await $0.load(
          with: $0.makeClient(for: .guest, blocksAccounts: isOn),
          leadsTo: [
            "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
            "log: GET /articles 200, 0.0 seconds", "caller: 200",
          ])
      }
    }
  }
}
