import Given
import TestSupport
import Testing

@testable import Exercise6

@Suite("Step 4: take one out", .oneAtATime)
struct Step4TakeOneOut {
  @Test("without blocking, debug leaves the block list alone")
  func debugWithoutBlocking() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isBlocked = true
    scene.server.respond(to: "/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .debug, blocksAccounts: false))

    expect(
      trace,
      is: [
        "store: credentials?", "server: POST /token", "store: new-token",
        "stopwatch: read",
        "server: GET /articles",
        "stopwatch: read", "log: /articles 403",
        "caller: 403",
      ], "Without blocking, the block list should be neither read nor written, and a 403 should be delivered.")
  }

  @Test("without blocking, production leaves the block list alone")
  func productionWithoutBlocking() async throws {
    let scene = Scene(credentials: .expired)
    scene.blockList.isBlocked = true
    scene.server.respond(to: "/articles", with: .permanentBlock)

    let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .production, blocksAccounts: false))

    expect(
      trace,
      is: [
        "store: credentials?", "server: POST /token", "store: new-token", "server: GET /articles", "caller: 403",
      ], "Without blocking, the block list should be neither read nor written, and a 403 should be delivered.")
  }

  @Test("without blocking, simultaneous requests with expired credentials still share one refresh")
  func sharesTheRefreshWithoutBlocking() async throws {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .expired)

      await scene.expectSharedRefresh(with: scene.makeFactory().makeClient(for: environment, blocksAccounts: false))
    }
  }

  @Test("without blocking, debug and production still read the factory's clock")
  func readsTheClockWithoutBlocking() async throws {
    try await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .valid)

      try await expectFactoryClock(in: scene, with: scene.makeFactory().makeClient(for: environment, blocksAccounts: false))
    }
  }

  @Test("a guest has no block list, whether blocking is on or off")
  func guestWithoutBlocking() async throws {
    try await each("blocking", in: Switch.allCases) { blocking in
      let scene = Scene()
      scene.server.respond(to: "/articles", with: .permanentBlock)

      let trace = try await scene.trace(with: scene.makeFactory().makeClient(for: .guest, blocksAccounts: blocking == .on))

      expect(
        trace,
        is: ["stopwatch: read", "server: GET /articles", "stopwatch: read", "log: /articles 403", "caller: 403"],
        "A guest has no account, so the logger should be the only layer, whether blocking is on or off.")
    }
  }

  @Test("debug and production block by default")
  func blocksByDefault() async throws {
    try await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      for isExplicit in [true, false] {
        let scene = Scene()
        scene.blockList.isBlocked = true
        let factory = scene.makeFactory()
        let sut = isExplicit ? factory.makeClient(for: environment, blocksAccounts: true) : factory.makeClient(for: environment)

        try await scene.load(with: sut).expectFailure(
          HTTPClientError.permanentlyBlocked,
          "If blocking is on, as it is by default, a blocked account's request should fail with `permanentlyBlocked`.")

        #expect(scene.server.paths.isEmpty, "If blocking is on, a blocked account should send nothing.")
      }
    }
  }

  @Test("clients made with and without blocking do not affect each other")
  func switchesOneClient() async throws {
    try await each("first client", in: Switch.allCases) { first in
      let scene = Scene()
      scene.blockList.isBlocked = true
      let factory = scene.makeFactory()
      var clients: [Switch: any HTTPClient] = [:]
      for blocking in first == .on ? [Switch.on, .off] : [.off, .on] {
        clients[blocking] = factory.makeClient(for: .debug, blocksAccounts: blocking == .on)
      }

      _ = try await scene.load(with: clients[.off]).expectSuccess(
        "A client made without blocking should send every request, even if the factory has made one with blocking.")
      try await scene.load(with: clients[.on]).expectFailure(
        HTTPClientError.permanentlyBlocked,
        "A client made with blocking should block, even if the factory has made one without it.")
    }
  }
}

/// Whether a client blocks accounts.
enum Switch: CaseIterable {
  case on
  case off
}
