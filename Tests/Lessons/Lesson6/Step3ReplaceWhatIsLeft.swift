import Given
import TestSupport
import Testing

import class TestSupport.BlockListSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import class TestSupport.StubServer

@testable import Exercise6

@Suite("Step 3: replace what is left", .oneAtATime)
struct Step3ReplaceWhatIsLeft {
  @Test("overlapping requests with expired credentials share one refresh")
  func sharesTheRefresh() async {
    let (server, allAreLoaded, results) = (
      StubServer(respondingOn: .newBackgroundQueue), DispatchSemaphore(value: 0), Inbox<HTTPResult>()
    )
    server.respond(to: "/articles", with: .response(200))
    server.respond(to: "/token") { _ in
      // The server is slow: no refresh ends before all requests have found the expired credentials.
      allAreLoaded.wait()
      allAreLoaded.signal()
      return .renewedCredentials
    }
    let factory = makeFactory(server, CredentialsStoreSpy(.expired), BlockListSpy(), ManualClock(), Journal())
    // Every client can be used from any thread, but the protocol's type does not say so.
    nonisolated(unsafe) let client = factory.makeClient(for: .production)
    let request = URLRequest(url: server.url("/articles"))

    let hasReturned = await returns {
      DispatchQueue.concurrentPerform(iterations: 5) { _ in client.load(request, completion: results.receive) }
    }
    allAreLoaded.signal()
    #expect(hasReturned, "`load` never returned. Look for code that waits.")

    let isComplete = await results.receives(5)
    #expect(isComplete, "`load` was called for five requests, but only \(results.values.count) completed.")
    let refreshes = server.paths.count { $0 == "/token" }
    #expect(
      refreshes == 1,
      """
      Overlapping requests with expired credentials should share one refresh, but \(refreshes) started. The decorator of Lesson 4 \
      can do that, if each client has one, and not each request.
      """)
  }

  @Test("a request ends with `signedOut` if the user leaves during a refresh")
  func endsIfTheUserLeaves() async {
    let world = World(credentials: .expired)
    let results = Inbox<HTTPResult>()
    world.server.respond(to: "/token") { [store = world.store] _ in
      store.stored = nil
      return .renewedCredentials
    }

    world.factory.makeClient(for: .production).load(world.request(), completion: results.receive)

    await results.receives(1)
    #expect(
      results.values.map(\.inWords) == ["signedOut"] && world.store.stored == nil,
      "The user signed out during the refresh. Store nothing, and end the waiting request with `signedOut`.")
  }

  @Test("after a 401, credentials are refreshed and the request is sent again")
  func retriesInside() async {
    await story(
      World(credentials: .valid, clients: .debug),
      "After a 401, the refresh decorator should send the request again. The logger sees both attempts, but not the refresh."
    ) {
      await $0.revokeToken()
      await $0.load(
        .get,
        traced: [
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
}
