import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 1: authorize", .patientOnce)
struct Step1Authorize {
  @Test("a request carries the access token")
  func addsToken() async {
    let scene = Scene(credentials: .valid)

    scene.load("articles")

    await scene.sends(1)
    #expect(
      scene.sent == ["articles valid-token"],
      "Send the request at once, once, with the header `Authorization: Bearer <access token>`.")
  }

  @Test("the token is looked up at each request")
  func readsTheStoreEachTime() async {
    let scene = Scene(credentials: .valid)

    scene.load("first")
    await scene.sends(1)
    scene.store.credentials?.accessToken = "another-token"
    scene.load("second")

    await scene.sends(2)
    #expect(
      scene.sent == ["first valid-token", "second another-token"],
      "Somebody else may have signed in between two requests: ask the store at each one.")
  }

  @Test("when nobody is signed in, the request fails and goes nowhere")
  func needsCredentials() async throws {
    let scene = Scene(credentials: nil)

    scene.load(.elaborate)

    try await scene.expectFailure(
      HTTPClientError.signedOut, "The store has no credentials: deliver `HTTPClientError.signedOut`.")
    #expect(scene.sent.isEmpty, "Without credentials the decoratee must not be asked.")
    #expect(scene.refresher.calls.count == 0, "Without credentials there is nothing to refresh.")
  }

  @Test("it works around a decorator that it has never seen, and inside of one")
  func composes() async throws {
    let scene = Scene(credentials: .valid)
    let inside = RefreshCredentialsHTTPClientDecorator(
      decoratee: ShoutingDecorator(decoratee: scene.client), store: scene.store, refresher: scene.refresher,
      now: { ManualClock().date })
    let outside = ShoutingDecorator(decoratee: inside)
    let bodies = Inbox<String?>()

    outside.load(.named("articles")) { bodies.receive($0.text) }
    await scene.sends(1)
    #expect(scene.sent == ["articles valid-token"], "The token has to reach the client through whatever is in between.")

    scene.client.calls.complete(with: .status(200, "answer"))
    let body = try await bodies.only("The answer never came back.")
    #expect(body == "200 answer!!", "The answer has to come back through both neighbours.")
  }

  @Test("unchanged: everything else about the request")
  func forwardsTheRequest() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)

    let sent = try #require(scene.client.requests.first, "The request has to be forwarded to the decoratee.")
    expectUnchanged(sent, from: .elaborate, except: "Authorization")
  }

  @Test("unchanged: the answer, whatever its status", arguments: [200, 204, 304, 403, 404, 500, 503])
  func deliversTheAnswer(status: Int) async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(with: .status(status, "body"))

    let (data, response) = try await scene.answer().expectSuccess("The decoratee answered with \(status).")
    #expect(response.statusCode == status, "The status has to come back as the decoratee delivered it.")
    #expect(response.value(forHTTPHeaderField: "ETag") == "42", "The response has to come back with its headers.")
    #expect(data == Data("body".utf8), "The body has to come back as the decoratee delivered it.")
    #expect(scene.refresher.calls.count == 0, "A \(status) says nothing about the token: there is nothing to refresh.")
    #expect(scene.client.requests.count == 1, "A \(status) says nothing about the token: there is nothing to send again.")
  }

  @Test("unchanged: the error")
  func deliversTheError() async throws {
    let scene = Scene(credentials: .valid)

    scene.load(.elaborate)
    await scene.sends(1)
    scene.client.calls.complete(with: .failure(URLError(.timedOut)))

    try await scene.expectFailure(URLError(.timedOut), "The error has to come back as the decoratee delivered it.")
    #expect(scene.client.requests.count == 1, "Trying again after an error is somebody else's business.")
  }
}
