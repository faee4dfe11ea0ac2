import Given
import TestSupport
import Testing

// Later lessons make the same promises: they compile this file again, with a `Scene` and a suite of their own.
extension Authorizing {
  @Test("a request carries the access token and the caller's headers")
  func addsBearerToken() async throws {
    let scene = Scene(credentials: .valid)
    var request = scene.request()
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the request is sent.")
    #expect(
      sent.authorization == "Bearer valid-token",
      "The request should carry the stored access token. Set `Authorization: Bearer <token>` on a copy of the request.")
    #expect(
      sent.value(forHTTPHeaderField: "Accept-Language") == "de-DE",
      "The request should keep the caller's other headers. Set one header instead of replacing them all.")
  }

  @Test("the access token replaces the caller's Authorization header")
  func replacesToken() async throws {
    let scene = Scene(credentials: .valid)
    var request = scene.request()
    request.setValue("Bearer of-yesterday", forHTTPHeaderField: "Authorization")

    _ = try await scene.load(request)

    #expect(
      scene.server.requests.map(\.authorization) == ["Bearer valid-token"],
      "The request should carry only the stored access token. Replace the `Authorization` header that the caller set.")
  }

  @Test("the store is read on every request")
  func readsTheStoreEachTime() async throws {
    let scene = Scene(credentials: .valid)
    let sut = scene.makeSUT()

    try await scene.load(with: sut)
    scene.store.credentials?.accessToken = "another-token"
    try await scene.load(with: sut)

    #expect(
      scene.server.requests.map(\.authorization) == ["Bearer valid-token", "Bearer another-token"],
      "Each request should carry the token that is in the store when `load` is called. Read the store on every request.")
  }

  @Test("valid credentials are not refreshed")
  func keepsValidCredentials() async throws {
    try await each("lifetime and age", in: [(3600.0, 1.0), (3600, 3599.75), (3600.5, 3600.25), (0.00048828125, 0.000244140625)]) {
      (lifetime: TimeInterval, age: TimeInterval) in
      let scene = Scene()
      scene.store.credentials = .valid(for: lifetime, on: scene.clock)
      scene.clock.advance(by: age)

      _ = try await scene.load()

      #expect(
        scene.server.paths == ["/articles"],
        "The token is valid for \(lifetime - age) more seconds. Send the request without a refresh, and do not round dates.")
    }
  }

  @Test("nothing is sent while no one is signed in")
  func needsCredentials() async throws {
    let scene = Scene(credentials: nil)

    try await scene.load().expectFailure(
      HTTPClientError.signedOut, "If the store has no credentials, deliver `HTTPClientError.signedOut`.")

    #expect(
      scene.server.paths.isEmpty, "Nothing should be sent without credentials, not even a refresh. Deliver the error and return.")
  }
}
