import Given
import TestSupport
import Testing

@Suite("Step 3: block", .oneAtATime)
struct Step3Block {
  @Test("for a blocked account, nothing is sent, not even a refresh request")
  func sendsNothing() async {
    for credentials in [Credentials.valid, .expired] {
      let world = World(credentials: credentials)
      let results = Inbox<HTTPResult>()
      world.blockList.isBlocked = true

      world.makeSUT().load(world.request("/articles"), completion: results.receive)

      #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
      #expect(world.server.paths.isEmpty, "If the account is on the block list, send nothing at all.")
      #expect(throws: HTTPClientError.permanentlyBlocked, "If the account is on the block list, deliver `permanentlyBlocked`.") {
        try results.values.first?.get()
      }
    }
  }

  @Test("an announced block puts the account on the block list")
  func recordsBlock() async {
    await story(
      World(credentials: .valid),
      "If a response announces a block, first add the account to the list, then deliver `permanentlyBlocked`."
    ) {
      await $0.respond(with: .permanentBlock)
      await $0.load(
        .get,
        leadsToAllOf: [
          "GET /articles is sent with valid-token", "the account is on the block list",
          "/articles receives permanentlyBlocked",
        ])
      await $0.load(.get, leadsToAllOf: ["/articles receives permanentlyBlocked"])
    }
  }

  @Test("a response that follows a refresh can also announce a block")
  func recordsBlockAfterRefresh() async {
    await story(
      World(credentials: .expired),
      "Any response to a caller's request can announce a block. Check every response, whether or not a refresh preceded the request."
    ) {
      await $0.respond(with: .permanentBlock)
      await $0.load(
        .get,
        leadsToAllOf: [
          "a refresh with refresh-1 starts", "new-token is stored", "GET /articles is sent with new-token",
          "the account is on the block list", "/articles receives permanentlyBlocked",
        ])
    }
  }

  @Test("a 403 is delivered if it announces no block")
  func deliversOtherRefusals() async {
    await each(
      "response",
      in: [
        StubServer.Response.response(403), .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8)),
        .response(403, body: Data("permanently_blocked?".utf8)),
      ]
    ) { response in
      await story(
        World(credentials: .valid),
        "`PermanentBlock.isAnnounced` decides whether a response announces a block. Deliver any 403 that does not."
      ) {
        await $0.respond(with: response)
        await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives \(response.result)"])
      }
    }
  }

  @Test("the response to a refresh request never changes the block list")
  func ignoresBlocksInRefreshes() async {
    await story(
      World(credentials: .expired),
      "The response to a refresh must not block the account. Look for a block only in the responses to the caller's requests."
    ) {
      await $0.respondToRefreshes(with: .permanentBlock)
      await $0.load(.get, leadsToAllOf: ["a refresh with refresh-1 starts", "/articles receives TokenEndpoint.Unavailable(403)"])
    }
  }

  @Test("the block list is checked for every request")
  func checksEachTime() async {
    await story(
      World(credentials: .valid), "The account may be removed from the block list later. Check the list on every request."
    ) {
      await $0.respond(with: .permanentBlock)
      await $0.load(
        .get,
        leadsToAllOf: [
          "GET /articles is sent with valid-token", "the account is on the block list",
          "/articles receives permanentlyBlocked",
        ])
      await $0.unblock()
      await $0.respond(with: .response(204))
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 204"])
    }
  }
}
