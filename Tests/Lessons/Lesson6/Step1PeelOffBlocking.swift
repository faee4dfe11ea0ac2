import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 1: peel off blocking", .oneAtATime)
struct Step1PeelOffBlocking {
  @Test("a production client with `blocksAccounts: false` ignores the block list")
  func ignoresTheList() async throws {
    let app = App(.expired)
    app.blockList.isBlocked = true
    app.server.respond(to: "/articles", with: .permanentBlock)

    let result = try await app.load(with: app.client(.production, blocksAccounts: false))

    #expect(
      app.journal.values.filter { $0.hasPrefix("block list") }.isEmpty,
      """
      With `blocksAccounts: false`, the block list should be neither read nor written. Move the code that uses it out of the manager, \
      and leave it out here.
      """)
    #expect(
      result.inWords == "403",
      "With `blocksAccounts: false`, a 403 is a response like any other: deliver it, even if it announces a block.")
  }

  @Test("unchanged: `makeClient` does nothing but create objects")
  func createsObjects() {
    let app = App(.expired)

    for environment in [HTTPClientFactory.Environment.debug, .production, .guest] { _ = app.client(environment) }

    #expect(
      app.journal.values.isEmpty && app.clockReads.values.isEmpty,
      "`makeClient` should only create objects. The layers read the store, the block list, and the time only when they load a request."
    )
  }

  @Test("without blocking, a production client still refreshes credentials")
  func refreshesWithoutBlocking() async {
    let app = App(.expired)
    app.blockList.isBlocked = true
    app.server.respond(to: "/articles", with: .permanentBlock)

    let trace = await app.trace(through: app.client(.production, blocksAccounts: false))

    #expect(
      trace == [
        "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
        "server: GET /articles is sent with new-token", "caller: \(StubServer.Response.permanentBlock.result)",
      ],
      "Without the block list, a production client should do everything else as before, and nothing more: it keeps no log.")
  }

  @Test("unchanged: a production client checks the block list by default")
  func blocksByDefault() async {
    await each("blocksAccounts", in: [nil, true]) { blocksAccounts in
      let app = App(.expired)
      let client = app.client(.production, blocksAccounts: blocksAccounts)
      app.server.respond(to: "/articles", with: .permanentBlock)

      let first = await app.trace(through: client)
      let second = await app.trace(through: client)

      let rule: Comment = """
        If blocking is on, as it is by default, the block list comes first, and a block in a response comes last. What was inside the \
        manager goes around it.
        """
      #expect(
        first == [
          "block list: blocked?", "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token", "block list: block", "caller: permanentlyBlocked",
        ], rule)
      #expect(second == ["block list: blocked?", "caller: permanentlyBlocked"], rule)
    }
  }

  @Test("`blocksAccounts: false` for one client affects no other client")
  func switchesOneClient() async {
    await each("the first client blocks", in: [true, false]) { isFirst in
      let app = App()
      let factory = app.makeFactory()
      let clients = [isFirst, !isFirst].map { app.client(.production, blocksAccounts: $0, from: factory) }
      app.blockList.isBlocked = true

      let blocked = await app.trace(through: clients[isFirst ? 0 : 1])
      let other = await app.trace(through: clients[isFirst ? 1 : 0])

      let rule: Comment =
        "Whether a client has the block list should depend on its own arguments, not on what else the factory has made."
      #expect(blocked == ["block list: blocked?", "caller: permanentlyBlocked"], rule)
      #expect(other == ["store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"], rule)
    }
  }
}
