import Given
import TestSupport
import Testing

@Suite("Step 2: authorize", .oneAtATime)
struct Step2Authorize {
  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async {
    let world = World(credentials: nil)
    let results = Inbox<HTTPResult>()

    world.makeSUT().load(world.request("/articles"), completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    #expect(world.server.paths.isEmpty, "If the store has no credentials, send nothing.")
    #expect(throws: HTTPClientError.signedOut, "If the store has no credentials, deliver `HTTPClientError.signedOut`.") {
      try results.values.first?.get()
    }
  }

  @Test("a request carries the access token")
  func addsBearerToken() async {
    await story(
      World(credentials: .valid),
      "Set `Authorization: Bearer <token>` on a copy of the request, and send the copy. Keep its other headers."
    ) {
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 200"])
    }
  }

  @Test("the access token replaces the caller's `Authorization` header")
  func replacesToken() async {
    await story(
      World(credentials: .valid),
      "The request should carry no token other than the stored one: set the header instead of adding to it."
    ) {
      await $0.load(.getWithToken, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 200"])
      await $0.load(.getWithPassword, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 200"])
    }
  }

  @Test("the credentials store is read for every request")
  func readsTheStoreEachTime() async {
    await story(
      World(credentials: .valid), "Another user may have signed in since the last request. Read the store on every request."
    ) {
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 200"])
      await $0.signIn(with: .renewed)
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with new-token", "/articles receives 200"])
    }
  }

  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    await story(
      World(credentials: .expired), "If the credentials have expired, refresh them, and then send the request with the new token."
    ) {
      await $0.load(
        .post,
        leadsToAllOf: [
          "a refresh with refresh-1 starts", "new-token is stored",
          #"POST /articles "draft" is sent with new-token"#, "/articles receives 200",
        ])
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with new-token", "/articles receives 200"])
      await $0.pass(seconds: 901)
      await $0.respondToRefreshes(with: .response(200, body: Data(#"{"access_token": "short-lived", "expires_in": 0}"#.utf8)))
      await $0.load(
        .get,
        leadsToAllOf: [
          "a refresh with refresh-2 starts", "short-lived is stored", "GET /articles is sent with short-lived",
          "/articles receives 200",
        ])
    }
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func refreshesAtExpiry() async {
    await each(
      "lifetime and age in seconds", in: [(3600.5, 3600.25), (3600.5, 3600.5), (0.00048828125, 0.000244140625), (1e11, 3600)]
    ) {
      (lifetime: TimeInterval, age: TimeInterval) in
      await story(
        World(credentials: .valid(for: lifetime)),
        "Refresh at `expiresAt` or later, but not before. Compare `now()` with `expiresAt`."
      ) {
        await $0.pass(seconds: age)
        if age < lifetime {
          await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 200"])
        } else {
          await $0.load(
            .get,
            leadsToAllOf: [
              "a refresh with refresh-1 starts", "new-token is stored", "GET /articles is sent with new-token",
              "/articles receives 200",
            ])
        }
      }
    }
  }

  @Test("if the refresh fails, its error is delivered")
  func deliversTheFailureOfTheRefresh() async {
    await each("failure", in: [StubServer.Response.refusedRefresh, .failure(.notConnectedToInternet), .response(500), .notHTTP]) {
      failure in
      await story(
        World(credentials: .expired),
        "If the refresh fails, deliver its error and send nothing. The next request should start a new refresh."
      ) {
        await $0.respondToRefreshes(with: failure)
        await $0.load(.get, leadsToAllOf: ["a refresh with refresh-1 starts", "/articles receives \(failure.refreshResult)"])
        await $0.respondToRefreshes(with: .renewedCredentials)
        await $0.load(
          .get,
          leadsToAllOf: [
            "a refresh with refresh-1 starts", "new-token is stored", "GET /articles is sent with new-token",
            "/articles receives 200",
          ])
      }
    }
  }

  @Test("a 401 is delivered and starts no refresh")
  func deliversA401() async {
    await story(
      World(credentials: .valid), "A 401 is a response like any other. Deliver it, and let the caller decide what it means."
    ) {
      await $0.respond(with: .response(401))
      await $0.load(.get, leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 401"])
    }
  }
}
