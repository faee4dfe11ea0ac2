import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 2: environments", .patientOnce)
struct Step2Environments {
  @Test("each environment delivers the answer", arguments: HTTPClientFactory.Environment.allCases)
  func deliversTheAnswer(environment: HTTPClientFactory.Environment) async throws {
    let scene = Scene()

    let (data, response) = try await scene.load(with: scene.makeFactory().makeClient(for: environment)).expectSuccess(
      "The server answered with articles.")

    #expect(response.statusCode == 200, "The answer has to come back as the server sent it.")
    #expect(data == Data(#"["Around, not inside"]"#.utf8), "The answer has to come back as the server sent it.")
  }

  @Test("debug signs in, blocks and logs")
  func debugHasAll() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/articles", with: .permanentBlock)

    try await scene.load(with: scene.makeFactory().makeClient(for: .debug)).expectFailure(
      HTTPClientError.permanentlyBlocked, "Debug has all the layers, the block list too.")

    #expect(
      scene.server.requests.last?.authorization == "Bearer new-token", "Debug has all the layers, the refresh too.")
    #expect(scene.log.values.map(\.outcome) == [.status(403)], "Debug has all the layers, the logger too.")
  }

  @Test("production is debug without the logger")
  func productionHasNoLogger() async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .production))

    expect(
      trace,
      is: [
        "block list: blocked?",
        "store: credentials?", "server: POST /token", "store: credentials?", "store: new-token",
        "server: GET /articles",
        "block list: block",
        "caller: permanentlyBlocked",
      ], "Production has no logger, and all else is as in debug.")
    #expect(scene.log.values.isEmpty, "Production does not log.")
  }

  @Test(
    "debug and production sign in by the clock that they are given",
    arguments: [HTTPClientFactory.Environment.debug, .production])
  func obeysTheClock(environment: HTTPClientFactory.Environment) async throws {
    let scene = Scene(credentials: .valid)
    let sut = scene.makeFactory().makeClient(for: environment)

    try await scene.load(with: sut)
    #expect(scene.server.paths == ["/articles"], "By the factory's `now` the credentials are good for an hour.")
    scene.clock.advance(by: 3600)
    try await scene.load(with: sut)
    #expect(
      scene.server.paths == ["/articles", "/token", "/articles"],
      "An hour has passed since the client was made, and the credentials have expired: the client has to ask `now` each time.")
    #expect(
      scene.store.credentials?.expiresAt == scene.clock.date.addingTimeInterval(900),
      "The new credentials are good for 900 seconds from `now`, as the refresher was to ask it when they came.")
  }

  @Test("in production as well, requests that expire together share one refresh")
  func sharesTheRefreshInProduction() async throws {
    let scene = Scene(credentials: .expired)
    let sut = scene.makeFactory().makeClient(for: .production)
    let answers = Inbox<Void>()

    for _ in 1...5 {
      sut.load(scene.request()) { _ in answers.receive(()) }
    }

    let allCame = await answers.receives(5)
    #expect(allCame, "Five requests are under way and only \(answers.values.count) were answered.")
    let refreshes = scene.server.paths.filter { $0 == "/token" }.count
    #expect(refreshes == 1, "Five requests share one refresh: make the layers once, with the client.")
  }

  @Test("what a factory has made before makes no difference to the next client")
  func makesEachClientAnew() async throws {
    let scene = Scene(credentials: .valid)
    let factory = scene.makeFactory()
    let (debug, production, guest) = (
      factory.makeClient(for: .debug), factory.makeClient(for: .production), factory.makeClient(for: .guest)
    )

    try await scene.load(with: production)
    #expect(scene.log.values.isEmpty, "Production does not log, though the factory has made a debug client before.")
    try await scene.load(with: guest)
    #expect(scene.log.values.count == 1, "A guest's request is logged, though the factory has made a production client before.")
    #expect(
      scene.server.requests.last?.authorization == nil,
      "A guest sends no token, though the factory has made other clients before.")
    try await scene.load(with: debug)
    #expect(scene.log.values.count == 2, "Debug logs, whatever the factory has made since.")
  }

  @Test("a guest's request has neither block list nor credentials around it", arguments: [nil, Credentials.valid, .expired])
  func guestHasOnlyTheLogger(credentials: Credentials?) async throws {
    let scene = Scene(credentials: credentials)
    scene.blockList.isCurrentAccountBlocked = true

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .guest))

    expect(
      trace,
      is: ["stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 200", "caller: 200"],
      "A guest has no account: only the logger stands around the network, whatever is in the store and on the list.")
  }

  @Test("a guest's request carries no token of ours, and keeps the one that it brings along")
  func guestSendsNoToken() async throws {
    let scene = Scene(credentials: .valid)
    let guest = scene.makeFactory().makeClient(for: .guest)
    var request = scene.request()
    request.setValue("Bearer of the caller", forHTTPHeaderField: "Authorization")

    try await scene.load(with: guest)
    try await scene.load(request, with: guest)

    #expect(
      scene.server.requests.map(\.authorization) == [nil, "Bearer of the caller"],
      "A guest's requests go out as they are, even while somebody is signed in.")
  }

  @Test("to a guest every refusal is just an answer", arguments: [StubServer.Answer.response(401), .permanentBlock])
  func guestTakesRefusals(refusal: StubServer.Answer) async throws {
    let scene = Scene(credentials: .valid)
    scene.server.answer("/articles", with: refusal)

    _ = try await scene.load(with: scene.makeFactory().makeClient(for: .guest)).expectSuccess(
      "A guest has no credentials to refresh and no account to block: the answer is delivered.")

    #expect(scene.server.paths == ["/articles"], "A guest has no credentials to refresh.")
    #expect(scene.blockList.blocks == 0, "A guest has no account to block.")
  }
}
