import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.StubServer

@testable import Exercise3

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Send().sendsOnce() } }
}

@Suite("Step 1: send", .oneAtATime)
struct Step1Send {
  @Test("one call sends one request, as the caller made it")
  func sendsOnce() async throws {
    let world = World()
    let results = Inbox<HTTPResult>()
    var request = world.request("/articles?page=2")
    request.httpMethod = "PUT"
    request.httpBody = Data("a long article".utf8)
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")

    world.makeSUT().load(request, completion: results.receive)

    #expect(await results.receives(1), "The completion was never called. Does a closure capture `self` weakly?")
    let sent = try #require(world.server.requests.first, "No request reached the server. Check that the request is sent.")
    expectUnchanged(sent, from: request)
    #expect(world.server.requests.count == 1, "Send one request for each call to `load`.")
  }

  @Test("responses are delivered even if the client has been released")
  func deliversAfterTheRelease() async {
    let (server, isReleased) = (StubServer(respondingOn: .newBackgroundQueue), DispatchSemaphore(value: 0))
    let results = Inbox<HTTPResult>()
    server.respond(to: "/articles") { _ in
      _ = isReleased.wait(timeout: .now() + 10)
      isReleased.signal()
      return .articles
    }

    let hasReturned = await returns {
      let sut = URLSessionHTTPClient(session: server.session)
      for _ in 1...20 { sut.load(URLRequest(url: server.url("/articles")), completion: results.receive) }
    }
    #expect(hasReturned, "While other requests are in flight, `load` does not return. Wait for nothing in it.")
    isReleased.signal()
    await results.receives(20)

    #expect(
      results.values.map(\.inWords) == Array(repeating: "200", count: 20),
      "Only the requests retained the client. Let each of them go on, and deliver its response.")
  }

  @Test("a response is delivered, whatever its status")
  func deliversEveryStatus() async throws {
    try await each("status and body", in: [(200, "news"), (200, ""), (401, "who?"), (403, #"{"error": "permanently_blocked"}"#)])
    {
      status, text in
      let world = World()
      world.server.respond(to: "/articles", with: .response(status, body: Data(text.utf8)))

      for count in 1...2 {
        let result = try await world.load()

        #expect(
          result.text == "\(status) \(text)" && world.server.paths.count == count,
          "Send each request once, and deliver any response. This client refreshes nothing, repeats nothing, and blocks no one.")
      }
    }
  }

  @Test("an error is delivered, and without an HTTP response, it is `notHTTP`")
  func deliversErrors() async throws {
    let failures = [
      StubServer.Response.failure(.timedOut), .failure(.networkConnectionLost),
      .failure(.networkConnectionLost, afterHead: 200), .error(domain: NSPOSIXErrorDomain, code: 54), .notHTTP,
    ]
    try await each("failure", in: failures) { failure in
      let world = World()
      world.server.respond(to: "/articles", with: failure)

      try await expectReleased("The request has ended, but its completion is still alive. Which object retains itself?") {
        leaks in
        let lifetime = leaks.lifetime(of: "the completion")
        let result = try await world.server.load(world.request()) { request, completion in
          world.makeSUT().load(request) { result in withExtendedLifetime(lifetime) { completion(result) } }
        }

        #expect(
          result.failure?.inWords == failure.result && world.server.paths.count == 1,
          """
          Send the request once. Deliver the session's own error, even if it comes with a response, or `HTTPClientError.notHTTP` if \
          there is neither an error nor an HTTP response. Delivered instead, after \(world.server.paths.count) requests: \(result.inWordsWithBody)
          """)
      }
    }
  }

  @Test("the client adds no credentials and removes none")
  func leavesCredentialsAlone() async throws {
    try await each("Authorization", in: [nil, "Bearer callers-token"]) { authorization in
      let world = World()
      var request = world.request()
      request.setValue(authorization, forHTTPHeaderField: "Authorization")

      _ = try await world.load(request)

      let sent = try #require(world.server.requests.first, "No request reached the server. Check that the task is started.")
      #expect(
        sent.value(forHTTPHeaderField: "Authorization") == authorization,
        "This client does not handle credentials. Send the caller's `Authorization` header, if any, and never add one.")
    }
  }
}
