import Given
import TestSupport
import Testing

@Suite("Step 3: block", .oneAtATime)
struct Step3Block {
  @Test("for a blocked account, nothing is sent, not even a refresh request")
  func sendsNothing() async throws {
    try await each("credentials", in: [Credentials.valid, .expired]) { credentials in
      let app = App(credentials)
      app.blockList.isBlocked = true

      let result = try await app.load()

      #expect(app.server.paths.isEmpty, "If the account is on the block list, send nothing at all.")
      result.expectFailure(
        HTTPClientError.permanentlyBlocked, "If the account is on the block list, deliver `permanentlyBlocked`.")
    }
  }

  @Test("an announced block puts the account on the block list")
  func recordsBlock() async throws {
    try await expectBlock(
      of: .valid, "If a response announces a block, first add the account to the list, then deliver `permanentlyBlocked`.")
  }

  @Test("a response that follows a refresh can also announce a block")
  func recordsBlockAfterRefresh() async throws {
    try await expectBlock(
      of: .expired,
      "Any response to a caller's request can announce a block. Check every response, whether or not a refresh preceded the request."
    )
  }

  @Test("a block counts even if the token was refreshed during the request")
  func recordsBlockOfAnOldToken() async throws {
    try await expectBlock(
      of: .valid, refreshedDuringTheRequest: true,
      "Another request has refreshed the token while this one was in flight. The account is the same: add it to the list.")
  }

  private func expectBlock(
    of credentials: Credentials, refreshedDuringTheRequest isRefreshed: Bool = false, _ rule: String
  ) async throws {
    let (app, results, wasListed) = (App(credentials), Inbox<HTTPResult>(), Inbox<Bool>())
    app.server.respond(to: "/articles") { [store = app.store] _ in
      if isRefreshed { store.stored = .renewed }
      return .permanentBlock
    }

    app.makeManager().load(app.request()) { result in
      wasListed.receive(app.blockList.isBlocked)
      results.receive(result)
    }

    let result = try await results.only("\(rule) Nothing was delivered.")
    #expect(wasListed.values == [true], "\(rule) When the result was delivered, the account was not on the list.")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "\(rule)")
  }

  @Test("a block takes effect even if the app has released the manager")
  func blocksAfterTheRelease() async throws {
    let (app, results) = (App(respondingOn: .newBackgroundQueue), Inbox<HTTPResult>())
    let isReleased = DispatchSemaphore(value: 0)
    app.server.respond(to: "/articles") { _ in
      isReleased.wait(atMost: 10)
      return .permanentBlock
    }

    app.makeManager().load(app.request(), completion: results.receive)
    isReleased.signal()

    let remark = "The app has released the manager, with a request in flight. Don't capture `self` weakly."
    let result = try await results.only("The result was lost. \(remark)")
    #expect(app.blockList.isBlocked, "The response has announced a block, but the account is not on the list. \(remark)")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "The response has announced a block.")
  }

  @Test("a 403 is delivered if it announces no block")
  func deliversOtherRefusals() async throws {
    try await each("body", in: ["", #"{"error": "not_your_article"}"#, "permanently_blocked?"]) { body in
      let app = App()
      app.server.respond(to: "/articles", with: .response(403, body: Data(body.utf8)))

      let result = try await app.load()

      #expect(
        result.text == "403 \(body)",
        "`PermanentBlock.isAnnounced` decides whether a response announces a block. Deliver any 403 that does not.")
      #expect(!app.blockList.isBlocked, "Nothing has announced a block, so the list should not change.")
    }
  }

  @Test("the response to a refresh request never changes the block list")
  func ignoresBlocksInRefreshes() async throws {
    let app = App(.expired)
    app.server.respond(to: "/token", with: .permanentBlock)

    let result = try await app.load()

    #expect(
      result.inWords == StubServer.Response.permanentBlock.refreshResult && !app.blockList.isBlocked,
      "The response to a refresh must not block the account. Look for a block only in the responses to the caller's requests.")
  }

  @Test("the block list is checked for every request")
  func checksEachTime() async throws {
    let app = App()
    let sut = app.makeManager()

    app.server.respond(to: "/articles", with: .permanentBlock)
    try await app.load(with: sut)
    app.server.respond(to: "/articles", with: .response(204))
    let blocked = try await app.load(with: sut)
    app.blockList.isBlocked = false
    let unblocked = try await app.load(with: sut)

    #expect(
      [blocked, unblocked].map(\.inWords) == ["permanentlyBlocked", "204"],
      "The account may be removed from the block list later. Check the list on every request.")
  }

  @Test("a request whose account is blocked during its refresh has one result")
  func endsIfBlockedDuringTheRefresh() async throws {
    let app = App(.expired)
    app.server.respond(to: "/token") { [list = app.blockList] _ in
      list.isBlocked = true
      return .renewedCredentials
    }

    let result = try await app.load()

    #expect(
      ["200", "permanentlyBlocked"].contains(result.inWords),
      "The account was blocked during the refresh. Deliver the request's own result, or `permanentlyBlocked`.")
  }
}
