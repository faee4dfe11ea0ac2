import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 2: environments", .oneAtATime)
struct Step2Environments {
  @Test("each environment delivers the response")
  func deliversTheResponse() async throws {
    try await each("environment", in: HTTPClientFactory.Environment.allCases) { environment in
      let scene = Scene()

      let (data, response) = try await scene.load(with: scene.makeFactory().makeClient(for: environment)).expectSuccess(
        "The server's response should be delivered in each environment.")

      #expect(response.statusCode == 200, "The response should have the status that the server sent. Deliver it unchanged.")
      #expect(data == Data(#"["Around, not inside"]"#.utf8), "The body should be the server's. Deliver it unchanged.")
    }
  }

  @Test("debug refreshes, blocks and logs")
  func debugHasAll() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/articles", with: .permanentBlock)

    try await scene.load(with: scene.makeFactory().makeClient(for: .debug)).expectFailure(
      HTTPClientError.permanentlyBlocked, "Debug should have every layer, including the block list.")

    #expect(
      scene.server.requests.last?.authorization == "Bearer new-token", "Debug should have every layer, including the refresh.")
    #expect(scene.log.values.map(\.outcome) == [.status(403)], "Debug should have every layer, including the logger.")
  }

  @Test("production has the same layers as debug, except the logger")
  func productionHasNoLogger() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .production))

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?", "server: POST /token", "store: new-token",
        "server: GET /articles",
        "block list: block",
        "caller: permanentlyBlocked",
      ], "Production should have the same layers as debug, in the same order, but no logger.")
    #expect(scene.log.values.isEmpty, "Production should not log. Leave the logger out.")
  }

  @Test("debug and production read the factory's clock on every request")
  func readsTheClock() async throws {
    try await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .valid)

      try await expectFactoryClock(in: scene, with: scene.makeFactory().makeClient(for: environment))
    }
  }

  @Test("in production, simultaneous requests with expired credentials share one refresh")
  func sharesTheRefreshInProduction() async throws {
    let scene = Scene(credentials: .expired)

    await scene.expectSharedRefresh(with: scene.makeFactory().makeClient(for: .production))
  }

  @Test("clients of one factory do not affect each other")
  func makesIndependentClients() async throws {
    let scene = Scene(credentials: .valid)
    let factory = scene.makeFactory()
    let (debug, production, guest) = (
      factory.makeClient(for: .debug), factory.makeClient(for: .production), factory.makeClient(for: .guest)
    )

    try await scene.load(with: production)
    #expect(scene.log.values.isEmpty, "Production should not log, whatever else the factory has made.")
    try await scene.load(with: guest)
    #expect(scene.log.values.count == 1, "A guest's request should be logged, whatever else the factory has made.")
    #expect(
      scene.server.requests.last?.authorization == nil,
      "A guest's request should carry no access token, whatever else the factory has made.")
    try await scene.load(with: debug)
    #expect(scene.log.values.count == 2, "Debug should log, whatever else the factory has made.")
  }

  @Test("a guest's request passes through the logger only")
  func guestHasOnlyTheLogger() async throws {
    try await each("credentials", in: [nil, Credentials.valid, .expired]) { (credentials: Credentials?) in
      let scene = Scene(credentials: credentials)
      scene.blockList.isBlocked = true

      let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .guest))

      expect(
        trace,
        is: ["stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 200", "caller: 200"],
        "A guest has no account, so the logger should be the only layer.")
    }
  }

  @Test("a guest's own Authorization header is sent unchanged")
  func guestSendsNoToken() async throws {
    let scene = Scene(credentials: .valid)
    let guest = scene.makeFactory().makeClient(for: .guest)
    var request = scene.request()
    request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")

    try await scene.load(with: guest)
    try await scene.load(request, with: guest)

    #expect(
      scene.server.requests.map(\.authorization) == [nil, "Bearer callers-token"],
      "A guest's requests should be sent unchanged, even while a user is signed in. Leave the refresh out.")
  }

  @Test("a guest receives every 401 and 403 unchanged")
  func guestReceivesRefusals() async throws {
    try await each("refusal", in: [StubServer.Response.response(401), .permanentBlock]) { refusal in
      let scene = Scene(credentials: .valid)
      scene.server.respond(to: "/articles", with: refusal)

      _ = try await scene.load(with: scene.makeFactory().makeClient(for: .guest)).expectSuccess(
        "A guest should receive a 401 or 403 like any other response. Leave the refresh and the block list out.")

      #expect(scene.server.paths == ["/articles"], "A guest's request should be sent once, without a refresh.")
      #expect(scene.blockList.blocks == 0, "A guest's request should not block an account. Leave the block list out.")
    }
  }
}

/// Checks that a client decides by the factory's clock when credentials expire.
///
/// - Parameters:
///   - scene: The scene of the client. Its credentials are ``Given/Credentials/valid``.
///   - sut: The client.
///   - sourceLocation: The place to report failures at.
func expectFactoryClock(in scene: Scene, with sut: any HTTPClient, sourceLocation: SourceLocation = #_sourceLocation)
  async throws
{
  try await scene.load(with: sut, sourceLocation: sourceLocation)
  #expect(
    scene.server.paths == ["/articles"],
    "According to the factory's `now`, the credentials are still valid. Pass `now` on, and send the request without a refresh.",
    sourceLocation: sourceLocation)

  scene.clock.advance(by: 3600)
  try await scene.load(with: sut, sourceLocation: sourceLocation)
  #expect(
    scene.server.paths == ["/articles", "/token", "/articles"],
    "According to the factory's `now`, the credentials have expired. Pass the closure on, so that every request reads the clock.",
    sourceLocation: sourceLocation)
  #expect(
    scene.store.stored?.expiresAt == scene.clock.date.addingTimeInterval(900),
    "The new credentials should expire 900 seconds after the factory's `now`. Pass the closure to the refresher.",
    sourceLocation: sourceLocation)

  let rejection = Locked<StubServer.Response?>(.response(401))
  scene.server.respond(to: "/articles") { [clock = scene.clock] _ in
    guard let rejection = rejection.withLock({ $0.take() }) else { return .articles }
    clock.advance(by: 60)
    return rejection
  }
  try await scene.load(with: sut, sourceLocation: sourceLocation)
  #expect(
    scene.store.stored?.expiresAt == scene.clock.date.addingTimeInterval(900),
    """
    The server rejected the token after a minute. The new credentials should expire 900 seconds after the refresh, not after \
    the request: the refresher should read the factory's `now` itself.
    """, sourceLocation: sourceLocation)
}
