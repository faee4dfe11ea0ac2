import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise6

@Suite("Step 3: replace what is left", .oneAtATime)
struct Step3ReplaceWhatIsLeft {
  @Test("overlapping requests with expired credentials share one refresh")
  func sharesTheRefresh() async {
    await each("environment", in: [HTTPClientFactory.Environment.production, .debug]) { environment in
      let (app, allAreLoaded, results) = (
        App(.expired, respondingOn: .newBackgroundQueue), DispatchSemaphore(value: 0), Inbox<HTTPResult>()
      )
      app.server.respond(to: "/token") { _ in
        // The server is slow: no refresh ends before all requests have found the expired credentials.
        allAreLoaded.wait()
        allAreLoaded.signal()
        return .renewedCredentials
      }
      // Every client can be used from any thread, but the protocol's type does not say so.
      nonisolated(unsafe) let client = app.client(environment)
      let request = app.request()

      let hasReturned = await returns {
        DispatchQueue.concurrentPerform(iterations: 5) { _ in client.load(request, completion: results.receive) }
      }
      allAreLoaded.signal()
      #expect(hasReturned, "`load` never returned. Look for code that waits.")

      let isComplete = await results.receives(5)
      #expect(isComplete, "`load` was called for five requests, but only \(results.values.count) completed.")
      let refreshes = app.server.paths.count { $0 == "/token" }
      #expect(
        refreshes == 1,
        """
        Overlapping requests with expired credentials should share one refresh, but \(refreshes) started. The decorator of Lesson 4 \
        can do that, if each client has one, and not each request.
        """)
    }
  }

  @Test("a request ends with `signedOut` if the user leaves during a refresh")
  func endsIfTheUserLeaves() async throws {
    // After a 401, a valid token is refreshed, too.
    try await each(
      "credentials", in: [Credentials.expired, .valid],
      "response to the refresh", in: [StubServer.Response.renewedCredentials, .refusedRefresh, .failure(.notConnectedToInternet)]
    ) { credentials, response in
      let app = App(credentials)
      app.server.respond(to: "/articles", with: .response(401))
      app.server.respond(to: "/token") { [store = app.store] _ in
        store.stored = nil
        return response
      }

      let result = try await app.load(with: app.client(.production))

      #expect(
        [result.inWords, app.store.stored?.accessToken] == ["signedOut", nil],
        """
        The user signed out during the refresh. Store nothing, and end the waiting request with `signedOut`, whether the refresh has \
        succeeded or failed.
        """)
    }
  }

  @Test("after a 401, credentials are refreshed and the request is sent again")
  func sendsOnceMore() async {
    let app = App()
    // The server no longer accepts the token.
    app.server.respond(to: "/articles") {
      .response($0.sentToken == "valid-token" ? 401 : 200, headers: ["ETag": "/articles"])
    }

    let trace = await app.trace(through: app.client(.debug))

    #expect(
      trace == [
        "block list: blocked?",
        "store: credentials?",
        "stopwatch: time?", "server: GET /articles is sent with valid-token", "stopwatch: time?",
        "log: GET /articles 401, 0.0 seconds",
        "server: a refresh with refresh-1 starts", "store: new-token",
        "stopwatch: time?", "server: GET /articles is sent with new-token", "stopwatch: time?",
        "log: GET /articles 200, 0.0 seconds",
        "caller: 200",
      ],
      "After a 401, the refresh decorator should send the request again. The logger sees both attempts, but not the refresh.")
  }

  @Test("a second 401 is delivered")
  func sendsTwiceAtMost() async throws {
    let app = App()
    app.server.respond(to: "/articles", with: .response(401))

    let result = try await app.load(with: app.client(.production))

    #expect(
      app.server.paths + [result.inWords] == ["/articles", "/token", "/articles", "401"],
      "The server rejects the new token, too. Deliver its second 401, and send nothing else.")
  }
}
