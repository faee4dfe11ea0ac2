import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.StubServer

@testable import Exercise6

@Suite("Step 1: peel off blocking", .oneAtATime)
struct Step1PeelOffBlocking {
  @Test("a production client with `blocksAccounts: false` ignores the block list")
  func ignoresTheList() async {
    let world = World(credentials: .expired)
    let results = Inbox<HTTPResult>()
    world.blockList.isBlocked = true
    world.server.respond(to: "/articles", with: .permanentBlock)

    world.factory.makeClient(for: .production, blocksAccounts: false).load(world.request(), completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    #expect(
      world.journal.entries.filter { $0.hasPrefix("block list") }.isEmpty,
      "With `blocksAccounts: false`, the block list should be neither read nor written. Move the code that uses it out of the manager, and leave it out here."
    )
    #expect(
      results.values.map(\.inWords) == ["403"],
      "With `blocksAccounts: false`, a 403 is a response like any other: deliver it, even if it announces a block.")
  }

  @Test("unchanged: `makeClient` does nothing but create objects")
  func createsObjects() {
    let world = World(credentials: .expired)

    for environment in ClientKind.environments { _ = ClientKind(environment: environment).make(with: world.factory) }

    #expect(
      world.journal.entries.isEmpty,
      "`makeClient` should only create objects. The layers read the store, the block list, and the time only when they load a request."
    )
  }

  @Test("without blocking, a production client still refreshes credentials")
  func refreshesWithoutBlocking() async {
    await story(
      World(credentials: .expired, clients: ClientKind(environment: .production, blocksAccounts: false)),
      "Without the block list, a production client should do everything else as before, and nothing more: it keeps no log, for example."
    ) {
      await $0.respond(with: .permanentBlock)
      await $0.block()
      await $0.load(
        .get,
        traced: [
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token",
          "caller: \(StubServer.Response.permanentBlock.result)",
        ])
    }
  }

  @Test("unchanged: a production client checks the block list by default")
  func blocksByDefault() async {
    await each("blocksAccounts", in: [nil, true]) { blocksAccounts in
      await story(
        World(credentials: .expired, clients: ClientKind(environment: .production, blocksAccounts: blocksAccounts)),
        "If blocking is on, as it is by default, the block list comes first, and a block in a response comes last. What was inside the manager goes around it."
      ) {
        await $0.respond(with: .permanentBlock)
        await $0.load(
          .get,
          traced: [
            "block list: blocked?", "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
            "server: GET /articles is sent with new-token", "block list: block", "caller: permanentlyBlocked",
          ])
        await $0.load(.get, traced: ["block list: blocked?", "caller: permanentlyBlocked"])
      }
    }
  }

  @Test("`blocksAccounts: false` for one client affects no other client")
  func switchesOneClient() async {
    await each("first client blocks", in: [true, false]) { isFirstBlocking in
      let kinds = [isFirstBlocking, !isFirstBlocking].map { ClientKind(environment: .production, blocksAccounts: $0) }
      await story(
        World(credentials: .valid, clients: kinds[0], kinds[1]),
        "Whether a client has the block list should depend on its own arguments, not on what else the factory has made."
      ) {
        await $0.block()
        await $0.load(
          .get, client: isFirstBlocking ? 0 : 1, traced: ["block list: blocked?", "caller: permanentlyBlocked"])
        await $0.load(
          .get, client: isFirstBlocking ? 1 : 0,
          traced: ["store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"])
      }
    }
  }
}
