import Given
import TestSupport
import Testing

// What Lesson 1 checks about sending belongs to this suite, too: see Step1Send.swift.
typealias Sending = Step1SendOnly

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1SendOnly().sendsOnce() } }
}

@Suite("Step 1: send, and nothing else", .oneAtATime)
struct Step1SendOnly {
  @Test("the client adds no credentials")
  func addsNoCredentials() async throws {
    let scene = Scene()

    _ = try await scene.load().expectSuccess(
      "The server's response should be delivered even if no user is signed in. Send the request without credentials.")

    let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the task is started.")
    #expect(
      sent.value(forHTTPHeaderField: "Authorization") == nil,
      "The request should have no `Authorization` header. This client does not handle credentials.")
  }

  @Test("a request keeps the credentials that its caller has added")
  func sendsTheCallersCredentials() async throws {
    let scene = Scene()
    var request = scene.request()
    request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "No request reached the server. Check that the task is started.")
    #expect(
      sent.value(forHTTPHeaderField: "Authorization") == "Bearer callers-token",
      "The request should have the caller's `Authorization` header. Send the request unchanged.")
  }

  @Test("equal requests are all sent, whether they overlap or not")
  func sendsEachCall() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let results = Inbox<HTTPResult>()

    for _ in 1...2 { sut.load(scene.request(), completion: results.receive) }
    await results.receives(2)
    sut.load(scene.request(), completion: results.receive)
    await results.receives(3)

    #expect(scene.server.paths.count == 3, "Three calls should send three requests. Store no results, and merge no calls.")
    #expect(results.values.count == 3, "Each of the three calls should complete. Check that each task has its own completion.")
  }

  @Test("equal requests each receive their own response, in any order")
  func keepsEqualRequestsApart() async throws {
    let scene = Scene(respondingOn: DispatchQueue(label: "a server's queue", attributes: .concurrent))
    let (sut, arrivals, mayRespond) = (scene.makeSUT(), Inbox<Void>(), DispatchSemaphore(value: 0))
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())
    scene.server.respond(to: "/articles") { _ in
      let isFirst = arrivals.values.isEmpty
      arrivals.receive(())
      if isFirst { mayRespond.wait() }
      return .response(200, body: Data((isFirst ? "first" : "second").utf8))
    }

    sut.load(scene.request(), completion: first.receive)
    await arrivals.receives(1)
    sut.load(scene.request(), completion: second.receive)
    await second.receives(1)
    mayRespond.signal()
    await first.receives(1)

    #expect(
      first.values.map(\.text) == ["200 first"] && second.values.map(\.text) == ["200 second"],
      "The second of two equal requests was answered first. Do not find completions by request: give each task its own.")
  }

  @Test("a 401 or 403 is delivered like any other response")
  func deliversRefusals() async throws {
    try await each("status", in: [401, 403]) { status in
      let scene = Scene()
      let body = Data(#"{"error": "permanently_blocked"}"#.utf8)
      scene.server.respond(to: "/articles", with: .response(status, body: body))

      let (data, response) = try await scene.load().expectSuccess(
        "A response with status \(status) should be delivered. This client does not interpret statuses or bodies.")
      _ = try await scene.load().expectSuccess("The next request should be sent like the first. Store nothing about a response.")

      #expect(response.statusCode == status, "The response should have the status that the server sent. Deliver it unchanged.")
      #expect(data == body, "The body should be the server's. Deliver the data unchanged.")
      #expect(scene.server.requests.count == 2, "Two calls should send two requests. Refresh nothing, and retry nothing.")
    }
  }
}
