import Given
import TestSupport
import Testing

@Suite("Step 1: order", .patientOnce)
struct Step1Order {
  @Test("an expired request goes in through block list, refresh and logger, and its answer comes back through all three")
  func passesAllLayers() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?", "server: POST /token", "store: credentials?", "store: new-token",
        "stopwatch: read",
        "server: GET /articles",
        "stopwatch: read", "log: /articles 403",
        "block list: block",
        "caller: permanentlyBlocked",
      ], "From the outside in: block list, refresh, logger, network.")
  }

  @Test("a valid request passes the same layers, without the refresh")
  func passesWithoutRefresh() async throws {
    let scene = Scene(credentials: .valid)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?", "store: credentials?", "stopwatch: read", "server: GET /articles", "stopwatch: read",
        "log: /articles 200", "caller: 200",
      ], "From the outside in: block list, refresh, logger, network.")
  }

  @Test("a 401 turns round at the refresh: it does not get out to the block list, and the logger sees both tries")
  func triesAgainInside() async throws {
    let scene = Scene(credentials: .valid)
    scene.server.answer("/articles") { request in
      request.authorization == "Bearer new-token" ? .permanentBlock : .response(401)
    }

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?",
        "stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 401",
        "store: credentials?", "server: POST /token", "store: credentials?", "store: new-token",
        "stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 403",
        "block list: block",
        "caller: permanentlyBlocked",
      ], "The second try starts at the refresh, goes inwards through the logger, and only its answer gets out.")
  }

  @Test("a blocked account's request gets no further than the block list")
  func stopsAtTheBlockList() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isCurrentAccountBlocked = true

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace, is: ["block list: blocked?", "caller: permanentlyBlocked"],
      "The block list is the outermost layer: what it stops, nobody else hears of.")
  }

  @Test("when nobody is signed in, the request gets no further than the refresh")
  func stopsWithoutCredentials() async throws {
    let scene = Scene(credentials: nil)

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace, is: ["block list: blocked?", "store: credentials?", "caller: signedOut"],
      "The refresh stands between the block list and the logger: what it stops is not logged.")
  }

  @Test("when the refresh fails, the request gets no further")
  func stopsWithoutRefresh() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/token", with: .response(400))

    let trace = try await scene.trace(with: scene.makeSUT())

    expect(
      trace,
      is: [
        "block list: blocked?", "store: credentials?", "server: POST /token", "store: credentials?", "caller: sessionExpired",
      ], "The refresh stands between the block list and the logger: what it stops is not logged.")
  }

  @Test("the time that a refresh takes is not the request's")
  func timesTheRequestAlone() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/token") { [clock = scene.clock] _ in
      clock.advance(by: 30)
      return .renewedCredentials
    }
    scene.server.answer("/articles") { [clock = scene.clock] _ in
      clock.advance(by: 2)
      return .articles
    }

    try await scene.load()

    #expect(
      scene.log.values == [
        HTTPLogRecord(method: "GET", path: "/articles", outcome: .status(200), duration: .seconds(2))
      ], "The refresh took 30 seconds and the request 2: the logger stands inside of the refresh, next to the network.")
  }

  @Test("requests that expire together share one refresh")
  func sharesTheRefresh() async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeSUT()
    let answers = Inbox<Void>()

    for _ in 1...5 {
      sut.load(scene.request()) { _ in answers.receive(()) }
    }

    let allCame = await answers.receives(5)
    #expect(allCame, "Five requests are under way and only \(answers.values.count) were answered.")
    let refreshes = scene.server.paths.filter { $0 == "/token" }.count
    let requests = scene.server.paths.count - refreshes
    #expect(requests == 5, "Each of the five requests is sent, once.")
    #expect(
      refreshes <= 1, "Five requests share one refresh: make the layers once, with the client, and not anew for each request.")
    #expect(refreshes >= 1, "The credentials have expired: refresh them before the requests go out.")
  }
}
