import Given
import TestSupport
import Testing

// Later lessons make the same promises: they compile this file again, with a `Scene` and a suite of their own.
extension Blocking {
  @Test("a blocked account sends nothing, not even the refresh")
  func sendsNothing() async throws {
    try await each("credentials", in: [Credentials.valid, .expired]) { credentials in
      let scene = Scene(credentials: credentials)
      scene.blockList.isBlocked = true

      try await scene.load().expectFailure(
        HTTPClientError.permanentlyBlocked, "If the account is on the block list, deliver `HTTPClientError.permanentlyBlocked`.")

      #expect(scene.server.paths.isEmpty, "A blocked account should send nothing. Check the block list before anything else.")
    }
  }

  @Test("the block list is checked on every request")
  func checksEachTime() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    scene.blockList.isBlocked = true
    let blocked = try await scene.load(with: sut)
    scene.blockList.isBlocked = false
    let allowed = try await scene.load(with: sut)

    blocked.expectFailure(
      HTTPClientError.permanentlyBlocked,
      "While the account is on the block list, requests should fail. Check the list on every request.")
    _ = try allowed.expectSuccess(
      "When the account is no longer on the block list, requests should be sent. Check the list on every request.")
  }

  @Test("a 403 that announces a block adds the account to the list")
  func recordsBlock() async throws {
    try await each(
      "method and announcement",
      in: [
        ("GET", StubServer.Response.permanentBlock), ("POST", .permanentBlock),
        ("GET", .response(403, body: Data(#"{ "since": "May", "error": "permanently_blocked" }"#.utf8))),
      ]
    ) { method, announcement in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: announcement)
      var request = scene.request()
      request.httpMethod = method

      try await scene.load(request).expectFailure(
        HTTPClientError.permanentlyBlocked,
        "If a response announces a permanent block, deliver `HTTPClientError.permanentlyBlocked` instead of the response.")

      #expect(
        scene.blockList.blocks == 1,
        "The account should be added to the block list once. Call `blockCurrentAccount()` when a response announces the block.")
    }
  }

  @Test("a block is recorded even if a refresh came first")
  func recordsBlockAfterRefresh() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/articles", with: .permanentBlock)

    try await scene.load().expectFailure(
      HTTPClientError.permanentlyBlocked,
      "If a response announces a block, deliver `permanentlyBlocked`, even after a refresh. Check the response to every request.")

    #expect(
      scene.blockList.blocks == 1,
      "The account should be added to the block list once. Check the response to every request, including one that follows a refresh."
    )
  }

  @Test("the response to a refresh never blocks the account")
  func ignoresBlocksInRefreshes() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/token", with: .permanentBlock)

    let result = try await scene.load()

    #expect(
      result.failure as? TokenEndpoint.Unavailable == TokenEndpoint.Unavailable(statusCode: 403),
      "The refresh failed with status 403. Deliver that error: only the response to a request can announce a block.")
    #expect(
      scene.blockList.blocks == 0,
      "The account should not be blocked. Check the responses to requests only, not the response to a refresh.")
  }

  @Test("the block is recorded before the error is delivered")
  func recordsBeforeDelivering() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let second = Inbox<HTTPResult>()
    scene.server.respond(to: "/articles", with: .permanentBlock)

    sut.load(scene.request()) { _ in sut.load(scene.request(), completion: second.receive) }

    try await second.only(
      "The second request never completed. Check that every call completes.", settled: scene.server.settled
    ).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "After a response that blocks the account, requests should fail. Add the account to the list before you deliver the error.")
    #expect(
      scene.server.paths == ["/articles"],
      "Nothing should be sent after the block. Update the list before you call the completion, which may call `load` again.")
  }

  @Test("only the block list remembers a block")
  func remembersInTheListOnly() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    scene.server.respond(to: "/articles", with: .permanentBlock)
    try await scene.load(with: sut)
    scene.blockList.isBlocked = false
    scene.server.respond(to: "/articles", with: .articles)

    _ = try await scene.load(with: sut).expectSuccess(
      "When the block list is empty again, requests should be sent. Check the list on every request, and don't store a copy.")
  }

  @Test("after a block, the next request is not sent")
  func sendsNothingAfterwards() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    scene.server.respond(to: "/articles", with: .permanentBlock)

    try await scene.load(with: sut)
    try await scene.load(with: sut).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "After a response that blocks the account, the next request should fail. Add the account to the list.")

    #expect(
      scene.server.paths == ["/articles"],
      "Nothing should be sent after a response that blocks the account. Check the list before you send.")
  }

  @Test("a 401 or 403 without a permanent block is delivered unchanged")
  func deliversOtherRefusals() async throws {
    try await each(
      "refusal",
      in: [
        StubServer.Response.response(403), .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8)),
        .response(403, body: Data("permanently_blocked?".utf8)),
        .response(401, body: Data(#"{"error": "permanently_blocked"}"#.utf8)),
      ]
    ) { refusal in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: refusal)

      _ = try await scene.load().expectSuccess(
        "A response that does not announce a permanent block should be delivered. Use `PermanentBlock.isAnnounced` to decide.")

      #expect(
        scene.blockList.blocks == 0,
        "Only a response that announces a permanent block should block the account. Use `PermanentBlock.isAnnounced` to decide.")
    }
  }
}
