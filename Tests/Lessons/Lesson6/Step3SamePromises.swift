import Given
import TestSupport
import Testing

@testable import Exercise6

// The files Step3Promises1Send.swift to Step3Promises3Block.swift are links to the suite of Lesson 1.
// They extend this suite. The `Scene` of this lesson makes a composed client where that of Lesson 1 makes a manager.
typealias Sending = Step3SamePromises
typealias Authorizing = Step3SamePromises
typealias Blocking = Step3SamePromises

@Suite("Step 3: the same promises", .oneAtATime)
struct Step3SamePromises {
  @Test("the refresh is sent through a client without decorators")
  func refreshesPastTheDecorators() async throws {
    try await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .expired)

      _ = try await scene.load(with: scene.makeFactory().makeClient(for: environment)).expectSuccess(
        "After a successful refresh, the request should be sent, and its response delivered.")

      let refresh = try #require(scene.server.requests.first, "No request reached the server. Check that the refresh is sent.")
      #expect(refresh.url?.path == "/token", "Expired credentials should be refreshed before the request is sent.")
      #expect(
        refresh.authorization == nil, "The refresh should carry no access token. Send it through a client without decorators.")
      #expect(
        !scene.log.values.map(\.path).contains("/token"),
        "The refresh should not be logged. Send it through a client without decorators.")
      #expect(
        scene.journal.entries.filter { $0 == "block list: blocked?" }.count == 1,
        "The block list should be read once: for the request, not for the refresh. Send the refresh through a client without decorators."
      )
    }
  }

  @Test("the refresh is sent over the factory's session")
  func refreshesOverTheSession() async throws {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let (scene, mayRespond) = (
        Scene(credentials: .expired, respondingOn: BackgroundQueue.serial.queue), DispatchSemaphore(value: 0)
      )
      let (arrivals, tasks, results) = (Inbox<Void>(), Inbox<[URL?]>(), Inbox<HTTPResult>())
      scene.server.respond(to: "/token") { _ in
        arrivals.receive(())
        mayRespond.wait()
        return .renewedCredentials
      }

      scene.makeFactory().makeClient(for: environment).load(scene.request(), completion: results.receive)
      await arrivals.receives(1)
      scene.server.session.getAllTasks { tasks.receive($0.map { $0.originalRequest?.url }) }
      await tasks.receives(1)
      mayRespond.signal()
      await results.receives(1)

      #expect(
        tasks.values == [[scene.server.url("/token")]],
        "While the refresh is in flight, it should be a task of the factory's `session`. Send it through a client with that session."
      )
    }
  }

  @Test("a user who signs in during a refresh gets their own refresh")
  func refreshesForEachUser() async throws {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .expired, respondingOn: BackgroundQueue.serial.queue)
      // Every client can be used from any thread, but the protocol's type does not say so.
      nonisolated(unsafe) let sut = scene.makeFactory().makeClient(for: environment)
      let (refreshes, results) = (Inbox<Void>(), Inbox<HTTPResult>())
      scene.server.respond(to: "/token") { [scene] _ in
        refreshes.receive(())
        guard refreshes.values.count == 1 else {
          return .response(
            200, body: Data(#"{"access_token": "next-token", "refresh_token": "next-refresh", "expires_in": 900}"#.utf8))
        }
        scene.store.stored = Credentials(
          accessToken: "next-users-old-token", refreshToken: "next-users-refresh", expiresAt: scene.clock.date)
        sut.load(scene.request(), completion: results.receive)
        return .renewedCredentials
      }

      sut.load(scene.request(), completion: results.receive)
      await results.receives(2)

      #expect(
        scene.server.requests.map(\.authorization) == [nil, nil, "Bearer next-token"],
        "The next user's credentials have expired, too. They need their own refresh: only requests of the same user may share one."
      )
      #expect(
        scene.store.stored?.accessToken == "next-token",
        "The store should hold the next user's new credentials, whatever happens to the previous user's refresh.")
    }
  }

  @Test("after a refused refresh, debug and production deliver `sessionExpired`")
  func endsTheSessionInEachEnvironment() async throws {
    try await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/token", with: .refusedRefresh)

      try await scene.load(with: scene.makeFactory().makeClient(for: environment)).expectFailure(
        HTTPClientError.sessionExpired, "If the token endpoint refuses the refresh, deliver `HTTPClientError.sessionExpired`.")

      #expect(scene.server.paths == ["/token"], "After a refused refresh, nothing else should be sent.")
      #expect(scene.store.stored == .expired, "After a refused refresh, the store should be unchanged.")
    }
  }

  @Test("debug and production deliver a refresh error other than a refusal unchanged")
  func deliversOtherFailuresInEachEnvironment() async throws {
    try await each(
      "environment", in: [HTTPClientFactory.Environment.debug, .production], "failure",
      in: [StubServer.Response.failure(.notConnectedToInternet), .response(401), .permanentBlock, .response(500)]
    ) { environment, failure in
      let scene = Scene(credentials: .expired)
      scene.server.respond(to: "/token", with: failure)

      let result = try await scene.load(with: scene.makeFactory().makeClient(for: environment))

      #expect(
        result.failure.map(failure.causes) == true,
        """
        If the refresh fails for any reason other than a refusal, its error should be delivered unchanged. Delivered instead: \
        \(result.failure.map { "\($0)" } ?? "a response")
        """)
      #expect(scene.server.paths == ["/token"], "After a failed refresh, nothing else should be sent.")
      #expect(
        scene.blockList.blocks == 0,
        "The response to the refresh should not block the account. Send the refresh through a client without decorators.")
    }
  }
}
