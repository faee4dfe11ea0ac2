import Given
import TestSupport
import Testing

// What Lesson 1 checks about sending belongs to this suite, too: see Step1Send.swift.
typealias Sending = Step1SendOnly

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1SendOnly().sendsOnce() } }
}

@Suite("Step 1, continued: send, and nothing else", .oneAtATime)
struct Step1SendOnly {
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

  @Test("a 401 or 403 is delivered like any other response")
  func deliversRefusals() async throws {
    try await each("status", in: [401, 403]) { status in
      let world = World()
      let body = #"{"error": "permanently_blocked"}"#
      world.server.respond(to: "/articles", with: .response(status, body: Data(body.utf8)))

      for count in 1...2 {
        let result = try await world.load()

        #expect(
          result.text == "\(status) \(body)" && world.server.paths.count == count,
          "Send each request once, and deliver any response. This client refreshes nothing, repeats nothing, and blocks no one.")
      }
    }
  }

  @Test("identical requests each receive their own response, whichever response arrives first")
  func keepsEqualRequestsApart() async throws {
    let world = World(respondingOn: DispatchQueue(label: "a server's queue", attributes: .concurrent))
    var sut: (any HTTPClient)? = world.makeSUT()
    let (arrivals, numbers, mayRespond) = (Inbox<Void>(), Locked(0), DispatchSemaphore(value: 0))
    let results = (1...3).map { _ in Inbox<HTTPResult>() }
    world.server.respond(to: "/articles") { _ in
      let number = numbers.withLock {
        $0 += 1
        return $0
      }
      arrivals.receive(())
      if number == 1 { mayRespond.wait() }
      return .response(200, body: Data("response \(number)".utf8))
    }

    sut?.load(world.request(), completion: results[0].receive)
    await arrivals.receives(1)
    sut?.load(world.request(), completion: results[1].receive)
    await results[1].receives(1)
    sut?.load(world.request(), completion: results[2].receive)
    await results[2].receives(1)
    sut = nil
    mayRespond.signal()
    await results[0].receives(1)

    #expect(
      results.map { $0.values.map(\.text) } == [["200 response 1"], ["200 response 2"], ["200 response 3"]],
      """
      Equal requests are sent, and the client is released while the first is in flight. Deliver each response to the \
      completion of its request.
      """)
  }
}
