import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 4: take one out", .patientOnce)
struct Step4TakeOneOut {
  @Test("without blocking, debug does all the rest as before")
  func debugWithoutBlocking() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isCurrentAccountBlocked = true
    scene.server.answer("/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .debug, blocksAccounts: false))

    expect(
      trace,
      is: [
        "store: credentials?", "server: POST /token", "store: credentials?", "store: new-token",
        "stopwatch: read",
        "server: GET /articles",
        "stopwatch: read", "log: /articles 403",
        "caller: 403",
      ], "This is the trace of step 1 without the block list: it is neither asked nor written, and the 403 is an answer.")
  }

  @Test("without blocking, production does all the rest as before")
  func productionWithoutBlocking() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isCurrentAccountBlocked = true
    scene.server.answer("/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .production, blocksAccounts: false))

    expect(
      trace,
      is: [
        "store: credentials?", "server: POST /token", "store: credentials?", "store: new-token", "server: GET /articles",
        "caller: 403",
      ], "This is production's trace of step 2 without the block list.")
  }

  @Test("a guest never has the block list, switched on or off", arguments: Switch.allCases)
  func guestWithoutBlocking(blocking: Switch) async throws {
    let scene = Scene()
    scene.server.answer("/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .guest, blocksAccounts: blocking == .on))

    expect(
      trace,
      is: ["stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 403", "caller: 403"],
      "The switch makes no difference to a guest.")
  }

  @Test(
    "blocking can be switched on, and is on unless somebody switches it off",
    arguments: [HTTPClientFactory.Environment.debug, .production])
  func blocksByDefault(environment: HTTPClientFactory.Environment) async throws {
    for isSaid in [true, false] {
      let scene = Scene()
      scene.blockList.isCurrentAccountBlocked = true
      let factory = scene.makeFactory()
      let sut = isSaid ? factory.makeClient(for: environment, blocksAccounts: true) : factory.makeClient(for: environment)

      try await scene.load(with: sut).expectFailure(
        HTTPClientError.permanentlyBlocked, "The account is on the list, and blocking is switched on.")

      #expect(scene.server.paths.isEmpty, "A blocked account stays off the network.")
    }
  }

  @Test("the switch belongs to one client: another from the same factory still blocks")
  func switchesOneClient() async throws {
    let scene = Scene()
    scene.blockList.isCurrentAccountBlocked = true
    let factory = scene.makeFactory()
    let (without, with) = (factory.makeClient(for: .debug, blocksAccounts: false), factory.makeClient(for: .debug))

    _ = try await scene.load(with: without).expectSuccess("This client was made without blocking.")
    try await scene.load(with: with).expectFailure(
      HTTPClientError.permanentlyBlocked, "This client was made with blocking: the other one must not make a difference.")
  }
}

enum Switch: CaseIterable {
  case on
  case off
}
