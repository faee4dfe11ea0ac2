import Given
import TestSupport
import Testing

@Suite("unchanged: the promises of Lesson 1", .oneAtATime)
struct Step0Promises {
  @Test("one call sends one request")
  func sendsOnce() async throws {
    let (world, results) = (World(), Inbox<HTTPResult>())

    world.makeSUT().load(world.request(), completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    let unfinished = results.values.first?.failure as? Unfinished
    try #require(
      unfinished == nil,
      "Your manager delivers `\(unfinished?.description ?? "")`. Finish it in Lesson 1 first, or start with our manager.")
    #expect(world.server.paths == ["/articles"], "The server should receive one request for each call to `load`.\(world.remark)")
  }

  @Test("the server receives the request that the caller made")
  func sendsUnchanged() async throws {
    try await expectUnchanged { $0.httpBody = $1 }
  }

  @Test("the server receives the caller's body stream")
  func sendsTheStream() async throws {
    try await expectUnchanged { $0.httpBodyStream = InputStream(data: $1) }
  }

  private func expectUnchanged(_ add: (inout URLRequest, Data) -> Void) async throws {
    let (world, body) = (World(), Data("a long article".utf8))
    var request = world.request("/articles?page=2&order=new")
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    add(&request, body)

    _ = try await world.load(request)

    let sent = try #require(world.server.requests.first, "No request reached the server. Check that the request is sent.")
    request.httpBody = body
    TestSupport.expectUnchanged(sent, from: request, except: "Authorization")
  }

  @Test("a response is delivered, whatever its status")
  func deliversEveryStatus() async throws {
    try await expectDelivered([.response(204), .response(404, body: Data("why".utf8)), .response(500)])
  }

  @Test("a 403 is delivered if it announces no block")
  func deliversOtherRefusals() async throws {
    try await expectDelivered([.response(403), .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8))])
  }

  @Test("an error is delivered, and without an HTTP response, it is `notHTTP`")
  func deliversErrors() async throws {
    try await expectDelivered([.failure(.timedOut), .failure(.networkConnectionLost, afterHead: 200), .notHTTP])
  }

  private func expectDelivered(_ responses: [StubServer.Response]) async throws {
    try await each("response", in: responses) { response in
      let world = World()
      world.server.respond(to: "/articles", with: response.marked("/articles"))

      let result = try await world.load()

      #expect(
        result.inWords(from: "/articles") == response.result,
        "Only the announcement of a block has a meaning of its own. Deliver anything else as it is.")
      #expect(world.server.paths == ["/articles"], "The request should be sent once. Leave retries to the caller.")
    }
  }

  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async throws {
    let world = World(credentials: nil)

    try await world.load().expectFailure(HTTPClientError.signedOut, "If the store has no credentials, deliver `signedOut`.")
    #expect(world.server.paths.isEmpty, "If the store has no credentials, send nothing.")
  }

  @Test("each request carries the token that is stored by then")
  func addsBearerToken() async throws {
    let world = World()

    try await world.load()
    world.store.stored = .renewed
    try await world.load()

    #expect(
      world.server.requests.map(\.sentToken) == ["valid-token", "new-token"],
      "Read the store on every request, and set `Authorization: Bearer <token>` on a copy of it.")
  }

  @Test("the access token replaces the caller's `Authorization` header")
  func replacesToken() async throws {
    let world = World()

    for kind in [BackEndRequest.Kind.getWithToken, .getWithPassword] {
      try await world.load(BackEndRequest(kind: kind, path: "/articles").made(for: world.server))

      #expect(
        world.server.requests.last?.sentToken == "valid-token",
        "The request should carry no token other than the stored one: set the header instead of adding to it.")
    }
  }

  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async throws {
    let world = World(credentials: .valid(for: 60))

    world.clock.advance(by: 59.75)
    try await world.load()
    world.clock.advance(by: 0.25)
    try await world.load()

    #expect(world.server.paths == ["/articles", "/token", "/articles"], "Refresh at `expiresAt` or later.\(world.remark)")
    #expect(
      world.server.requests.last?.sentToken == "new-token" && world.store.writes.values.map { $0?.accessToken } == ["new-token"],
      "Store the new credentials, and send the request with the new token.")
  }

  @Test("if the refresh fails, its error is delivered")
  func deliversTheFailureOfTheRefresh() async throws {
    try await each("response", in: [StubServer.Response.refusedRefresh, .failure(.notConnectedToInternet)]) {
      response in
      let world = World(credentials: .expired)
      world.server.respond(to: "/token", with: response)

      let result = try await world.load()

      #expect(result.inWords == response.refreshResult, "If the refresh fails, deliver its error.")
      #expect(world.server.paths == ["/token"], "If the refresh fails, don't send the request.")
    }
  }

  @Test("the response to a refresh request never changes the block list")
  func ignoresBlocksInRefreshes() async throws {
    let world = World(credentials: .expired)
    world.server.respond(to: "/token", with: .permanentBlock)

    try await world.load()

    #expect(world.blockList.blocks == 0, "The response to a refresh must not block the account.")
  }

  @Test("for a blocked account, nothing is sent, not even a refresh request")
  func sendsNothing() async throws {
    let world = World(credentials: .expired)
    world.blockList.isBlocked = true

    try await world.load().expectFailure(
      HTTPClientError.permanentlyBlocked, "If the account is on the block list, deliver `permanentlyBlocked`.")
    #expect(world.server.paths.isEmpty, "If the account is on the block list, send nothing at all.")
  }

  @Test("an announced block puts the account on the block list")
  func recordsBlock() async throws {
    try await expectBlock(of: .valid)
  }

  @Test("a response that follows a refresh can also announce a block")
  func recordsBlockAfterRefresh() async throws {
    try await expectBlock(of: .expired)
  }

  private func expectBlock(of credentials: Credentials) async throws {
    let world = World(credentials: credentials)
    world.server.respond(to: "/articles", with: .permanentBlock)

    let isListed = Inbox<Bool>()
    let sut = ClosureClient { request, completion in
      world.makeSUT().load(request) { result in
        isListed.receive(world.blockList.isBlocked)
        completion(result)
      }
    }

    try await world.load(with: sut).expectFailure(
      HTTPClientError.permanentlyBlocked, "The response announces a block. Deliver that.")
    #expect(
      isListed.values == [true] && world.blockList.blocks == 1,
      "If a response announces a block, first add the account to the list, and then call the completion.")
    world.blockList.isBlocked = false
    world.server.respond(to: "/articles", with: .response(204))
    let next = try await world.load()
    #expect(next.inWords == "204", "The account is no longer on the list. Check the list on every request.")
  }
}
