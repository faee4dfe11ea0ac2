import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 2: environments", .oneAtATime)
struct Step2Environments {
  @Test("a production client lacks the logger but has the other layers")
  func productionHasNoLogger() async {
    await traces(
      .expired, "A production client should have the same layers as a debug client, in the same order, but without the logger."
    ) {
      $0.backEnd(responds: .permanentBlock)
      await $0.load(
        with: $0.makeClient(for: .production),
        leadsTo: [
          "block list: blocked?",
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token",
          "block list: block",
          "caller: permanentlyBlocked",
        ])
    }
  }

  @Test("a guest client has the logger as its only layer")
  func guestHasOnlyTheLogger() async {
    await each(
      "credentials", in: [nil, Credentials.valid, .expired], "response",
      in: [StubServer.Response.response(200), .response(401), .permanentBlock]
    ) { (credentials: Credentials?, response: StubServer.Response) in
      await traces(
        credentials,
        "A guest client serves no account, so the logger should be its only layer, even if the store holds credentials."
      ) {
        $0.backEnd(responds: response)
        $0.blockList(hasAccount: true)
        await $0.load(
          .getWithToken, with: $0.makeClient(for: .guest),
          leadsTo: [
            "stopwatch: time?", "server: GET /articles is sent with callers-token", "stopwatch: time?",
            "log: GET /articles \(response.logged), 0.0 seconds", "caller: \(response.result)",
          ])
      }
    }
  }

  @Test("the factory's clock decides whether credentials have expired")
  func readsTheClock() async {
    await traces(
      .valid, "Pass the closure `now` to both the refresh decorator and its refresher, so that each request reads the clock."
    ) {
      let production = $0.makeClient(for: .production)
      $0.pass(seconds: 3599.75)
      await $0.load(
        with: production,
        leadsTo: ["block list: blocked?", "store: credentials?", "server: GET /articles is sent with valid-token", "caller: 200"])
      $0.pass(seconds: 0.25)
      await $0.load(
        with: production,
        leadsTo: [
          "block list: blocked?", "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "server: GET /articles is sent with new-token", "caller: 200",
        ])
      $0.pass(seconds: 899.75)
      await $0.load(
        with: production,
        leadsTo: ["block list: blocked?", "store: credentials?", "server: GET /articles is sent with new-token", "caller: 200"])
      $0.pass(seconds: 0.25)
      await $0.load(
        with: production,
        leadsTo: [
          "block list: blocked?", "store: credentials?", "server: a refresh with refresh-2 starts", "store: new-token",
          "server: GET /articles is sent with new-token", "caller: 200",
        ])
    }
  }

  @Test("clients from the same factory do not affect each other")
  func makesIndependentClients() async {
    await traces(.valid, "The layers of a client should not depend on what else the factory has made.") {
      let (debug, production, guest) = (
        $0.makeClient(for: .debug), $0.makeClient(for: .production), $0.makeClient(for: .guest)
      )
      await $0.load(
        with: production,
        leadsTo: [
          "block list: blocked?", "store: credentials?", "server: GET /articles is sent with valid-token",
          "caller: 200",
        ])
      await $0.load(
        with: guest,
        leadsTo: [
          "stopwatch: time?", "server: GET /articles is sent with no token", "stopwatch: time?",
          "log: GET /articles 200, 0.0 seconds", "caller: 200",
        ])
      await $0.load(
        with: debug,
        leadsTo: [
          "block list: blocked?", "store: credentials?", "stopwatch: time?",
          "server: GET /articles is sent with valid-token", "stopwatch: time?", "log: GET /articles 200, 0.0 seconds",
          "caller: 200",
        ])
    }
  }
}
