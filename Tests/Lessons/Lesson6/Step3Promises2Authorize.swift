import Given
import TestSupport
import Testing

// Later lessons make the same promises: they compile this file again, with a `Scene` and a suite of their own.
extension Authorizing {
  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async {
    await story(nil, "If the store has no credentials, deliver `HTTPClientError.signedOut` and send nothing.") {
      await $0.load(leadsTo: "/articles receives signedOut")
    }
  }

  @Test("a request carries the access token")
  func addsBearerToken() async {
    await story(
      .valid, "Set `Authorization: Bearer <token>` on a copy of the request, and send the copy. Keep its other headers."
    ) {
      await $0.load(leadsTo: "GET /articles is sent with valid-token", "/articles receives 200")
      await $0.load(
        .getFromAnotherHost, leadsTo: "GET /articles on another host is sent with valid-token", "/articles receives 200")
    }
  }

  @Test("the access token replaces the caller's `Authorization` header")
  func replacesToken() async {
    await story(.valid, "The request should carry no token other than the stored one: set the header instead of adding to it.") {
      await $0.load(.getWithToken, leadsTo: "GET /articles is sent with valid-token", "/articles receives 200")
      await $0.load(.getWithPassword, leadsTo: "GET /articles is sent with valid-token", "/articles receives 200")
    }
  }

  @Test("the credentials store is read for every request")
  func readsTheStoreEachTime() async {
    await story(.valid, "Another user may have signed in since the last request. Read the store on every request.") {
      await $0.load(leadsTo: "GET /articles is sent with valid-token", "/articles receives 200")
      $0.store(.renewed)
      await $0.load(leadsTo: "GET /articles is sent with new-token", "/articles receives 200")
    }
  }

  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    await story(.expired, "If the credentials have expired, refresh them, and then send the request with the new token.") {
      await $0.load(
        .post, leadsTo: "a refresh with refresh-1 starts", "new-token is stored",
        #"POST /articles "draft" is sent with new-token"#, "/articles receives 200")
      await $0.load(leadsTo: "GET /articles is sent with new-token", "/articles receives 200")
      $0.pass(seconds: 901)
      $0.tokenEndpoint(responds: .response(200, body: Data(#"{"access_token": "short-lived", "expires_in": 0}"#.utf8)))
      await $0.load(
        leadsTo: "a refresh with refresh-2 starts", "short-lived is stored", "GET /articles is sent with short-lived",
        "/articles receives 200")
    }
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func refreshesAtExpiry() async {
    await each("lifetime and age in seconds", in: [(3600.5, 3600.25), (3600.5, 3600.5), (0.00048828125, 0.000244140625)]) {
      (lifetime: TimeInterval, age: TimeInterval) in
      await story(
        .valid(for: lifetime),
        "Refresh at `expiresAt` or later, but not before. Compare `now()` with `expiresAt`."
      ) {
        $0.pass(seconds: age)
        if age < lifetime {
          await $0.load(leadsTo: "GET /articles is sent with valid-token", "/articles receives 200")
        } else {
          await $0.load(
            leadsTo: "a refresh with refresh-1 starts", "new-token is stored", "GET /articles is sent with new-token",
            "/articles receives 200")
        }
      }
    }
  }

  @Test("if the refresh fails, its error is delivered")
  func deliversTheFailureOfTheRefresh() async {
    await each("failure", in: [StubServer.Response.refusedRefresh, .failure(.notConnectedToInternet), .response(500), .notHTTP]) {
      failure in
      await story(
        .expired, "If the refresh fails, deliver its error and send nothing. The next request should start a new refresh."
      ) {
        $0.tokenEndpoint(responds: failure)
        await $0.load(leadsTo: "a refresh with refresh-1 starts", "/articles receives \(failure.refreshResult)")
        $0.tokenEndpoint(responds: .renewedCredentials)
        await $0.load(
          leadsTo: "a refresh with refresh-1 starts", "new-token is stored", "GET /articles is sent with new-token",
          "/articles receives 200")
      }
    }
  }
}

// These copies have to be equal: Lesson1/Step2Authorize.swift, Lesson6/Step3Promises2Authorize.swift.
