import Given
import TestSupport
import Testing

@testable import Exercise6

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1Order().passesAllLayers() } }
}

@Suite("Step 1: order", .oneAtATime)
struct Step1Order {
  @Test("a request passes through the layers from the outside in")
  func passesAllLayers() async {
    await traces(
      .expired,
      "From the outside in, the layers should be the block list, the refresh, the logger, and the client that sends. The refresh's own request passes through none of them."
    ) {
      $0.backEnd(responds: .permanentBlock)
      await $0.load(
        with: $0.makeClient(for: .debug),
        leadsTo: [
          "block list: blocked?",
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "stopwatch: time?",
          "server: GET /articles is sent with new-token",
          "stopwatch: time?", "log: GET /articles 403, 0.0 seconds",
          "block list: block",
          "caller: permanentlyBlocked",
        ])
    }
  }

  @Test("unchanged: `makeClient` does nothing but create objects")
  func createsObjects() {
    let scene = Scene(credentials: .expired)

    for environment in ClientKind.environments { _ = ClientKind(environment: environment).make(with: scene.factory) }

    #expect(
      scene.journal.entries.isEmpty,
      "`makeClient` should only create objects. The layers read the store, the block list, and the time only when they load a request."
    )
  }

  @Test("overlapping requests with expired credentials share one refresh")
  func sharesTheRefresh() async {
    let scene = Scene(credentials: .expired)
    let (request, results) = (scene.request(), Inbox<Void>())
    // Every client can be used from any thread, but the protocol's type does not say so.
    nonisolated(unsafe) let sut = scene.makeSUT()

    await finished(on: .newBackgroundQueue, "`load` never returned. Look for code that waits.") {
      DispatchQueue.concurrentPerform(iterations: 5) { _ in
        sut.load(request) { _ in results.receive(()) }
      }
    }
    let isComplete = await results.receives(5)

    #expect(isComplete, "`load` was called for five requests, but only \(results.values.count) completed.")
    let refreshes = scene.server.paths.count { $0 == "/token" }
    #expect(
      refreshes == 1,
      """
      Overlapping requests with expired credentials should share one refresh, but \(refreshes) started. Make the layers once \
      for each client, not once for each request.
      """)
  }

  @Test("after a 401, credentials are refreshed and the request is sent again")
  func retriesInside() async {
    await traces(
      .valid,
      "After a 401, the refresh decorator should send the request again. The logger sees both attempts, but not the refresh."
    ) {
      $0.revokeToken()
      await $0.load(
        with: $0.makeClient(for: .debug),
        leadsTo: [
          "block list: blocked?",
          "store: credentials?",
          "stopwatch: time?", "server: GET /articles is sent with valid-token", "stopwatch: time?",
          "log: GET /articles 401, 0.0 seconds",
          "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token",
          "stopwatch: time?", "server: GET /articles is sent with new-token", "stopwatch: time?",
          "log: GET /articles 200, 0.0 seconds",
          "caller: 200",
        ])
    }
  }

  @Test("if a layer stops a request, the layers inside it receive nothing")
  func stops() async {
    await traces(nil, "If the block list or the refresh stops a request, no layer further in should receive it.") {
      let debug = $0.makeClient(for: .debug)
      await $0.load(with: debug, leadsTo: ["block list: blocked?", "store: credentials?", "caller: signedOut"])
      $0.blockList(hasAccount: true)
      await $0.load(with: debug, leadsTo: ["block list: blocked?", "caller: permanentlyBlocked"])
    }
  }
}
