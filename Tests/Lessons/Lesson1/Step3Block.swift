import Given
import TestSupport
import Testing

// Other lessons keep the same promises, and compile this file again: with a `Scene` of their own, and with a suite of their
// own under this name.
extension Blocking {
  @Test("a blocked account sends nothing, not even the refresh", arguments: [Credentials.valid, .expired])
  func staysHome(credentials: Credentials) async throws {
    let scene = Scene(credentials: credentials)
    scene.blockList.isCurrentAccountBlocked = true

    try await scene.load().expectFailure(
      HTTPClientError.permanentlyBlocked, "The account is on the list: deliver `HTTPClientError.permanentlyBlocked`.")

    #expect(scene.server.paths.isEmpty, "A blocked account stays off the network: look at the list before anything else.")
  }

  @Test("the list is asked at each request")
  func asksEachTime() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    scene.blockList.isCurrentAccountBlocked = true
    let blocked = try await scene.load(with: sut)
    scene.blockList.isCurrentAccountBlocked = false
    let allowed = try await scene.load(with: sut)

    blocked.expectFailure(HTTPClientError.permanentlyBlocked, "The account was on the list when this request was made.")
    _ = try allowed.expectSuccess("The account is no longer on the list, so this request goes out: ask at each request.")
  }

  @Test("a 403 that says so puts the account on the list and comes back as the error", arguments: ["GET", "POST"])
  func remembersBlock(method: String) async throws {
    let scene = Scene()
    scene.server.answer("/articles", with: .permanentBlock)
    var request = scene.request()
    request.httpMethod = method

    try await scene.load(request).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The back end said that the account is blocked for good: deliver `HTTPClientError.permanentlyBlocked`.")

    #expect(scene.blockList.blocks == 1, "Put the account on the block list, once, when the back end says that it is blocked.")
  }

  @Test("a 403 that says so after a refresh counts as well")
  func remembersBlockAfterRefresh() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/articles", with: .permanentBlock)

    try await scene.load().expectFailure(
      HTTPClientError.permanentlyBlocked, "Whether the request had to wait for a refresh makes no difference to its answer.")

    #expect(scene.blockList.blocks == 1, "The answer after a refresh is read like any other: put the account on the list.")
  }

  @Test("a caller that tries again in its completion stays home already")
  func remembersBeforeDelivering() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let second = Inbox<HTTPResult>()
    scene.server.answer("/articles", with: .permanentBlock)

    sut.load(scene.request()) { _ in sut.load(scene.request(), completion: second.receive) }

    try await second.only("The second request was never answered.", settled: scene.server.settled).expectFailure(
      HTTPClientError.permanentlyBlocked, "The first answer has blocked the account.")
    #expect(
      scene.server.paths == ["/articles"],
      "Put the account on the list before you deliver the error: the caller may ask again at once.")
  }

  @Test("the list knows, and nobody else: when another account signs in, requests go out again")
  func remembersInTheListOnly() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()

    scene.server.answer("/articles", with: .permanentBlock)
    try await scene.load(with: sut)
    scene.blockList.isCurrentAccountBlocked = false
    scene.server.answer("/articles", with: .articles)

    _ = try await scene.load(with: sut).expectSuccess(
      "Another account is signed in, and not on the list: ask the list, each time.")
  }

  @Test("the next request stays home")
  func staysHomeAfterwards() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    scene.server.answer("/articles", with: .permanentBlock)

    try await scene.load(with: sut)
    try await scene.load(with: sut).expectFailure(
      HTTPClientError.permanentlyBlocked, "The back end has blocked this account with its last answer.")

    #expect(scene.server.paths == ["/articles"], "After the answer that blocked the account, nothing more is sent.")
  }

  @Test(
    "any other refusal is just an answer",
    arguments: [
      StubServer.Answer.response(403), .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8)),
      .response(403, body: Data("permanently_blocked?".utf8)),
      .response(401, body: Data(#"{"error": "permanently_blocked"}"#.utf8)),
    ])
  func deliversOrdinaryRefusals(refusal: StubServer.Answer) async throws {
    let scene = Scene()
    scene.server.answer("/articles", with: refusal)

    _ = try await scene.load().expectSuccess(
      "This answer does not say that the account is blocked for good (`PermanentBlock.isAnnounced` knows): it is an answer.")

    #expect(scene.blockList.blocks == 0, "Only an answer that says so may block the account for good.")
  }
}
