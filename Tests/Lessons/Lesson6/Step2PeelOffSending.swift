import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.StubServer

@testable import Exercise6

@Suite("Step 2: peel off sending", .oneAtATime)
struct Step2PeelOffSending {
  @Test("a request passes through the layers from the outside in")
  func passesAllLayers() async {
    let world = World(credentials: .expired)
    let results = Inbox<HTTPResult>()
    let trace = [
      "block list: blocked?",
      "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
      "stopwatch: time?",
      "server: GET /articles is sent with new-token",
      "stopwatch: time?", "log: GET /articles 403, 0.0 seconds",
      "block list: block",
    ]
    world.server.respond(to: "/articles", with: .permanentBlock)

    world.factory.makeClient(for: .debug).load(world.request(), completion: results.receive)

    await results.receives(1)
    #expect(
      world.journal.entries == trace,
      "From the outside in, a debug client should have the block list, the manager, the logger, and the client that sends. The log is about the app's requests: a refresh passes through none of these layers."
    )
  }

  @Test("a guest client has the logger as its only layer")
  func guestHasOnlyTheLogger() async {
    await each(
      "credentials", in: [nil, Credentials.valid, .expired], "response",
      in: [StubServer.Response.response(200), .response(401), .permanentBlock]
    ) { (credentials: Credentials?, response: StubServer.Response) in
      await story(
        World(credentials: credentials, clients: .guest),
        "A guest client serves no account, so the logger should be its only layer, even if the store holds credentials."
      ) {
        await $0.respond(with: response)
        await $0.block()
        await $0.load(
          .getWithToken,
          traced: [
            "stopwatch: time?", "server: GET /articles is sent with callers-token", "stopwatch: time?",
            "log: GET /articles \(response.logged), 0.0 seconds", "caller: \(response.result)",
          ])
      }
    }
  }

  @Test("unchanged: debug and production clients check the block list by default")
  func blocksByDefault() async {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production], "blocksAccounts", in: [nil, true]) {
      (environment: HTTPClientFactory.Environment, blocksAccounts: Bool?) in
      await story(
        World(credentials: nil, clients: ClientKind(environment: environment, blocksAccounts: blocksAccounts)),
        "If the block list or the refresh stops a request, no layer further in should receive it."
      ) {
        await $0.load(.get, traced: ["block list: blocked?", "store: credentials?", "caller: signedOut"])
        await $0.block()
        await $0.load(.get, traced: ["block list: blocked?", "caller: permanentlyBlocked"])
      }
    }
  }

  @Test("a debug client with `blocksAccounts: false` has all other layers")
  func debugWithoutBlocking() async {
    await story(
      World(credentials: .expired, clients: ClientKind(environment: .debug, blocksAccounts: false)),
      "Without the block list, a debug client should have all its other layers, and leave the list alone."
    ) {
      await $0.respond(with: .permanentBlock)
      await $0.block()
      await $0.load(
        .get,
        traced: [
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "stopwatch: time?",
          "server: GET /articles is sent with new-token",
          "stopwatch: time?", "log: GET /articles 403, 0.0 seconds",
          "caller: \(StubServer.Response.permanentBlock.result)",
        ])
    }
  }

  @Test("a guest client ignores the block list, whatever the value of `blocksAccounts`")
  func guestWithoutBlocking() async {
    await each("blocking", in: [true, false]) { isOn in
      await story(
        World(credentials: .valid, clients: ClientKind(environment: .guest, blocksAccounts: isOn)),
        "A guest client serves no account, so `blocksAccounts` should make no difference."
      ) {
        await $0.block()
        await $0.load(
          .get,
          traced: [
            "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
            "log: GET /articles 200, 0.0 seconds", "caller: 200",
          ])
      }
    }
  }

  @Test("unchanged: the factory's clock decides whether credentials have expired")
  func readsTheClock() async {
    await story(
      World(credentials: .valid, clients: .production),
      "Pass the closure `now` on, so that each request reads the clock, and a refresh counts the lifetime of what it obtains by it."
    ) {
      await $0.pass(seconds: 3599.75)
      await $0.load(
        .get,
        traced: ["block list: blocked?", "store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"])
      await $0.pass(seconds: 0.25)
      await $0.load(
        .get,
        traced: [
          "block list: blocked?", "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token", "caller: 200",
        ])
      await $0.pass(seconds: 899.75)
      await $0.load(
        .get,
        traced: ["block list: blocked?", "store: credentials?", "server: GET /articles is sent with new-token", "caller: 200"])
      await $0.pass(seconds: 0.25)
      await $0.load(
        .get,
        traced: [
          "block list: blocked?", "store: credentials?", "server: a refresh with refresh-2 starts", "store: new-token",
          "server: GET /articles is sent with new-token", "caller: 200",
        ])
    }
  }

  @Test("clients from the same factory do not affect each other")
  func makesIndependentClients() async {
    await story(
      World(credentials: .valid, clients: .debug, .production, .guest),
      "The layers of a client should not depend on what else the factory has made."
    ) {
      await $0.load(
        .get, client: 1,
        traced: ["block list: blocked?", "store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"])
      await $0.load(
        .get, client: 2,
        traced: [
          "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
          "log: GET /articles 200, 0.0 seconds", "caller: 200",
        ])
      await $0.load(
        .get, client: 0,
        traced: [
          "block list: blocked?", "store: credentials?", "stopwatch: time?",
          "server: GET /articles is sent with valid-token", "stopwatch: time?", "log: GET /articles 200, 0.0 seconds",
          "caller: 200",
        ])
    }
  }
}
