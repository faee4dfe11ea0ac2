import Given
import TestSupport
import Testing

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Order().passesAllLayers() } }
}

@Suite("Step 1: order", .oneAtATime)
struct Step1Order {
  @Test("a request with expired credentials passes through every layer, in order")
  func passesAllLayers() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?", "server: POST /token", "store: new-token",
        "stopwatch: read",
        "server: GET /articles",
        "stopwatch: read", "log: /articles 403",
        "block list: block",
        "caller: permanentlyBlocked",
      ], "From the outside in, the layers should be block list, refresh, logger, network.")
  }

  @Test("valid credentials are not refreshed, and the request passes through every layer")
  func passesWithoutRefresh() async throws {
    let scene = Scene(credentials: .valid)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?", "store: credentials?", "stopwatch: read", "server: GET /articles", "stopwatch: read",
        "log: /articles 200", "caller: 200",
      ], "From the outside in, the layers should be block list, refresh, logger, network.")
  }

  @Test("after a 401, the request starts again at the refresh")
  func retriesInside() async throws {
    let scene = Scene(credentials: .valid)
    scene.server.respond(to: "/articles") { request in
      request.authorization == "Bearer new-token" ? .permanentBlock : .response(401)
    }

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?",
        "stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 401",
        "store: credentials?", "server: POST /token", "store: new-token",
        "stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 403",
        "block list: block",
        "caller: permanentlyBlocked",
      ],
      "The second request should start at the refresh and pass through the logger. Only its response should reach the block list."
    )
  }

  @Test("a blocked account's request stops at the block list")
  func stopsAtTheBlockList() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isBlocked = true

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace, is: ["block list: blocked?", "caller: permanentlyBlocked"],
      "The block list should be the outermost layer. A request that it stops should reach no other layer.")
  }

  @Test("a request without credentials stops at the refresh")
  func stopsWithoutCredentials() async throws {
    let scene = Scene(credentials: nil)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace, is: ["block list: blocked?", "store: credentials?", "caller: signedOut"],
      "The refresh should be between the block list and the logger. A request that the refresh stops should not be logged.")
  }

  @Test("after a failed refresh, the request does not reach the logger")
  func stopsWithTheRefresh() async throws {
    try await each(
      "failure and error",
      in: [(StubServer.Response.refusedRefresh, "sessionExpired"), (.response(500), "Unavailable(statusCode: 500)")]
    ) { failure, error in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/token", with: failure)

      let trace = try await scene.trace(with: scene.makeSUT())

      expect(
        trace,
        is: [
          "block list: blocked?", "store: credentials?", "server: POST /token", "store: credentials?", "caller: \(error)",
        ], "The refresh should be between the block list and the logger. A request that the refresh stops should not be logged.")
    }
  }

  @Test("the logged duration excludes the refresh")
  func timesTheRequestAlone() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.respond(to: "/token") { [clock = scene.clock] _ in
      clock.advance(by: 30)
      return .renewedCredentials
    }
    scene.server.respond(to: "/articles") { [clock = scene.clock] _ in
      clock.advance(by: 2)
      return .articles
    }

    try await scene.load()

    #expect(
      scene.log.values == [
        HTTPLogRecord(method: "GET", path: "/articles", outcome: .status(200), duration: .seconds(2))
      ],
      "The log should contain one record, whose duration excludes the refresh. Put the logger inside the refresh, next to the network."
    )
  }

  @Test("simultaneous requests with expired credentials share one refresh")
  func sharesTheRefresh() async throws {
    let scene = Scene(credentials: .expired)

    await scene.expectSharedRefresh(with: scene.makeSUT())
  }
}
