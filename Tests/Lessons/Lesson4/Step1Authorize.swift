import Given
import TestSupport
import Testing

@testable import Exercise4

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1Authorize().addsToken() } }
}

@Suite("Step 1: authorize", .oneAtATime)
struct Step1Authorize {
  @Test("every request carries the stored access token")
  func addsToken() async {
    let scene = Scene(credentials: .valid)

    scene.load("articles")

    await scene.sends(1)
    #expect(
      scene.sent == ["articles valid-token"],
      "The request should be sent once, with the header `Authorization: Bearer <access token>`.")
  }

  @Test("the token replaces any `Authorization` header that the request already has")
  func replacesTheCallersToken() async {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)

    await scene.sends(1)
    #expect(
      scene.client.requests.map(\.authorization) == ["Bearer valid-token"],
      "The caller has set another `Authorization` header. The request should carry only yours: set it, don't add it."
    )
  }

  @Test("the store is read on every request")
  func readsTheStoreEachTime() async {
    let scene = Scene(credentials: .valid)

    scene.load("first")
    await scene.sends(1)
    scene.store.credentials?.accessToken = "another-token"
    scene.load("second")

    await scene.sends(2)
    #expect(
      scene.sent == ["first valid-token", "second another-token"],
      "The credentials in the store changed between two requests. Read the store on every request.")
  }

  @Test("if no one is signed in, a request fails without being sent")
  func needsCredentials() async throws {
    let scene = Scene(credentials: nil)

    scene.load(.elaborate)

    try await scene.expectFailure(
      HTTPClientError.signedOut, "The store has no credentials: deliver `HTTPClientError.signedOut`.")
    #expect(scene.sent.isEmpty, "A request was sent although no one is signed in. Do not call the decoratee.")
    #expect(scene.refresher.calls.count == 0, "The refresher was called although there are no credentials to refresh.")
  }

  @Test("the decorator can wrap, and be wrapped by, another decorator")
  func composes() async throws {
    let scene = Scene(credentials: .valid)
    let inside = RefreshCredentialsHTTPClientDecorator(
      decoratee: ShoutingDecorator(decoratee: scene.client), store: scene.store, refresher: scene.refresher,
      now: { ManualClock().date })
    let outside = ShoutingDecorator(decoratee: inside)
    let bodies = Inbox<String?>()

    outside.load(.named("articles")) { bodies.receive($0.text) }
    await scene.sends(1)
    #expect(
      scene.sent == ["articles valid-token"],
      "The token should reach the client through a decorator in between. Pass the changed request to the decoratee.")

    scene.client.calls.complete(with: .status(200, "response"))
    let body = try await bodies.only("The response was never delivered. Pass the completion to the decoratee.")
    #expect(body == "200 response!!", "The response should pass through both other decorators. Deliver the decoratee's result.")
  }

  @Test("unchanged: the rest of the request is forwarded")
  func forwardsTheRequest() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)

    let sent = try #require(scene.client.requests.first, "The request was not sent. Forward it to the decoratee.")
    expectUnchanged(sent, from: .elaborate, except: "Authorization")
  }

  @Test("unchanged: a response other than 401 is delivered")
  func deliversTheResponse() async throws {
    try await each("status", in: [200, 204, 304, 403, 404, 500, 503]) { status in
      let scene = Scene(credentials: .valid)

      scene.load(.elaborate)
      await scene.sends(1)
      scene.client.calls.complete(with: .status(status, "body"))

      let (data, response) = try await scene.result().expectSuccess(
        "The decoratee delivered a response with status \(status). Deliver it unchanged.")
      #expect(response.statusCode == status, "The status has changed. Deliver the decoratee's response unchanged.")
      #expect(
        response.value(forHTTPHeaderField: "ETag") == "42",
        "A header of the response is missing. Deliver the decoratee's response unchanged.")
      #expect(data == Data("body".utf8), "The body has changed. Deliver the decoratee's data unchanged.")
      #expect(
        scene.refresher.calls.count == 0, "A \(status) does not mean that the token was rejected. Refresh only after a 401.")
      #expect(
        scene.client.requests.count == 1, "A \(status) does not mean that the token was rejected. Send again only after a 401.")
    }
  }

  @Test("unchanged: an error from the decoratee is delivered")
  func deliversTheError() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(with: .failure(URLError(.timedOut)))

    try await scene.expectFailure(URLError(.timedOut), "The decoratee delivered an error. Deliver it unchanged.")
    #expect(
      scene.client.requests.count == 1,
      "The request was sent again after an error. Retrying is not this decorator's responsibility.")
  }
}
