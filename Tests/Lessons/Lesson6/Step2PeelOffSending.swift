import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 2: peel off sending", .oneAtATime)
struct Step2PeelOffSending {
  @Test("a request passes through the layers from the outside in")
  func passesAllLayers() async {
    let app = App(.expired)
    for (path, seconds, response) in [
      ("/token", 60.0, StubServer.Response.renewedCredentials), ("/articles", 2, .permanentBlock),
    ] {
      app.server.respond(to: path) { [clock = app.clock] _ in
        clock.advance(by: seconds)
        return response
      }
    }

    let trace = await app.trace(through: app.client(.debug))

    #expect(
      trace == [
        "block list: blocked?",
        "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
        "stopwatch: time?",
        "server: GET /articles is sent with new-token",
        "stopwatch: time?", "log: GET /articles 403, 2.0 seconds",
        "block list: block",
        "caller: permanentlyBlocked",
      ],
      """
      From the outside in, a debug client should have the block list, the manager, the logger, and the client that sends. The refresh, \
      which takes 60 seconds here, goes from the manager to the client that sends. Then the request takes two.
      """)
  }

  @Test("a guest client has the logger as its only layer")
  func guestHasOnlyTheLogger() async {
    await each(
      "credentials", in: [nil, Credentials.valid, .expired], "response",
      in: [StubServer.Response.response(200), .response(401), .permanentBlock]
    ) { (credentials: Credentials?, response: StubServer.Response) in
      let app = App(credentials)
      app.blockList.isBlocked = true
      app.server.respond(to: "/articles", with: response)

      var request = app.request()
      request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")

      let trace = await app.trace(of: request, through: app.client(.guest))

      #expect(
        trace == [
          "stopwatch: time?", "server: GET /articles is sent with callers-token", "stopwatch: time?",
          "log: GET /articles \(response.result.prefix(3)), 0.0 seconds", "caller: \(response.result)",
        ], "A guest client serves no account, so the logger should be its only layer, even if the store holds credentials.")
    }
  }

  @Test("unchanged: the block list is the outermost layer, also by default")
  func blocksByDefault() async {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production], "blocksAccounts", in: [nil, true]) {
      (environment: HTTPClientFactory.Environment, blocksAccounts: Bool?) in
      let app = App(nil)
      let client = app.client(environment, blocksAccounts: blocksAccounts)

      let signedOut = await app.trace(through: client)
      app.blockList.isBlocked = true
      let blocked = await app.trace(through: client)

      let rule: Comment = "If the block list or the refresh stops a request, no layer further in should receive it."
      #expect(signedOut == ["block list: blocked?", "store: credentials?", "caller: signedOut"], rule)
      #expect(blocked == ["block list: blocked?", "caller: permanentlyBlocked"], rule)
    }
  }

  @Test("a debug client with `blocksAccounts: false` has all other layers")
  func debugWithoutBlocking() async {
    let app = App(.expired)
    app.blockList.isBlocked = true
    app.server.respond(to: "/articles", with: .permanentBlock)

    let trace = await app.trace(through: app.client(.debug, blocksAccounts: false))

    #expect(
      trace == [
        "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
        "stopwatch: time?",
        "server: GET /articles is sent with new-token",
        "stopwatch: time?", "log: GET /articles 403, 0.0 seconds",
        "caller: \(StubServer.Response.permanentBlock.result)",
      ], "Without the block list, a debug client should have all its other layers, and leave the list alone.")
  }

  @Test("a guest client ignores the block list, whatever the value of `blocksAccounts`")
  func guestWithoutBlocking() async {
    await each("blocksAccounts", in: [true, false]) { blocksAccounts in
      let app = App()
      app.blockList.isBlocked = true

      let trace = await app.trace(through: app.client(.guest, blocksAccounts: blocksAccounts))

      #expect(
        trace == [
          "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
          "log: GET /articles 200, 0.0 seconds", "caller: 200",
        ], "A guest client serves no account, so `blocksAccounts` should make no difference.")
    }
  }

  @Test("unchanged: the factory's clock decides whether credentials have expired")
  func readsTheClock() async {
    let app = App()
    let client = app.client(.production)
    let refresh = { (token: String) in ["server: a refresh with \(token) starts", "store: new-token"] }
    let before = ["block list: blocked?", "store: credentials?"]
    let (sent, delivered) = ("server: GET /articles is sent with", "caller: 200")

    for (seconds, expected) in [
      (3599.75, before + ["\(sent) valid-token", delivered]),
      (0.25, before + refresh("refresh-1") + ["\(sent) new-token", delivered]),
      (899.75, before + ["\(sent) new-token", delivered]),
      (0.25, before + refresh("refresh-2") + ["\(sent) new-token", delivered]),
    ] {
      app.clock.advance(by: seconds)
      let trace = await app.trace(through: client)
      #expect(
        trace == expected,
        "Pass the closure `now` on, so that each request reads the clock, and a refresh counts the lifetime of what it obtains by it."
      )
    }
  }

  @Test("clients from the same factory do not affect each other")
  func makesIndependentClients() async {
    let app = App()
    let factory = app.makeFactory()
    let (debug, production, guest) = (
      app.client(.debug, from: factory), app.client(.production, from: factory), app.client(.guest, from: factory)
    )

    let ofProduction = await app.trace(through: production)
    let ofGuest = await app.trace(through: guest)
    let ofDebug = await app.trace(through: debug)

    let rule: Comment = "The layers of a client should not depend on what else the factory has made."
    #expect(
      ofProduction == [
        "block list: blocked?", "store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200",
      ], rule)
    #expect(
      ofGuest == [
        "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
        "log: GET /articles 200, 0.0 seconds",
        "caller: 200",
      ], rule)
    #expect(
      ofDebug == [
        "block list: blocked?", "store: credentials?", "stopwatch: time?", "server: GET /articles is sent with valid-token",
        "stopwatch: time?", "log: GET /articles 200, 0.0 seconds", "caller: 200",
      ], rule)
  }
}
