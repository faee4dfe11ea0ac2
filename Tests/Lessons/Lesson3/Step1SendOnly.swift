import Given
import TestSupport
import Testing

// What Lesson 1 asks of sending belongs to this suite as well: see Step1Send.swift.
typealias Sending = Step1SendOnly

@Suite("Step 1: send, and nothing else", .patientOnce)
struct Step1SendOnly {
  @Test("the client adds no credentials")
  func addsNoCredentials() async throws {
    let scene = Scene()

    _ = try await scene.load().expectSuccess("Nobody has to be signed in to send a request.")

    let sent = try #require(scene.server.requests.first, "The request never reached the server.")
    #expect(
      sent.value(forHTTPHeaderField: "Authorization") == nil, "Credentials are somebody else's business: the client only sends.")
  }

  @Test("credentials that a request brings along stay on it")
  func keepsCredentials() async throws {
    let scene = Scene()
    var request = scene.request()
    request.setValue("Bearer of the caller", forHTTPHeaderField: "Authorization")

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "The request never reached the server.")
    #expect(
      sent.value(forHTTPHeaderField: "Authorization") == "Bearer of the caller",
      "The header `Authorization` is a header like any other: send it as it was given.")
  }

  @Test("the same request twice, at the same time or later, is sent twice and answered twice")
  func sendsEachCall() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let answers = Inbox<HTTPResult>()

    for _ in 1...2 { sut.load(scene.request(), completion: answers.receive) }
    await answers.receives(2)
    sut.load(scene.request(), completion: answers.receive)
    await answers.receives(3)

    #expect(scene.server.paths.count == 3, "The client remembers nothing: each call sends its own request.")
    #expect(answers.values.count == 3, "Each call has a completion of its own, and it is called.")
  }

  @Test("a refusal is an answer", arguments: [401, 403])
  func deliversRefusals(status: Int) async throws {
    let scene = Scene()
    let body = Data(#"{"error": "permanently_blocked"}"#.utf8)
    scene.server.answer("/articles", with: .response(status, body: body))

    let (data, response) = try await scene.load().expectSuccess(
      "The client does not know what \(status) means, whatever the body says: it delivers what came.")
    _ = try await scene.load().expectSuccess("The client remembers nothing: the next request goes out like the first.")

    #expect(response.statusCode == status, "The status has to come back as the server sent it.")
    #expect(data == body, "The body has to come back as the server sent it.")
    #expect(scene.server.requests.count == 2, "Two calls send two requests: nothing is refreshed, repeated or held back.")
  }
}
