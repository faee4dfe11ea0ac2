import Given
import TestSupport
import Testing

import typealias Given.Response

@testable import Exercise9

@Suite("Step 3: the universal form", .oneAtATime)
struct Step3TheUniversalForm {
  @Test("the first middleware in a list is the outermost")
  func keepsTheOrder() async throws {
    let journal = Inbox<String>()
    let sut = composed(
      [noting("a", in: journal), noting("b", in: journal), noting("c", in: journal)],
      around: { _ in
        journal.receive("the client")
        return response(200)
      })

    _ = try await sut(.named("articles"))

    #expect(
      journal.values == ["a: request", "b: request", "c: request", "the client", "c: response", "b: response", "a: response"],
      "The first middleware sees the request first and the response last.")
  }

  @Test("a middleware can change, skip, or repeat what comes next")
  func leavesTheChoiceToEach() async throws {
    let (journal, received) = (Inbox<String>(), Inbox<URLRequest>())
    let client: Next = { request in
      received.receive(request)
      // The second call comes during the first.
      await received.receives(2)
      return response(200)
    }
    let changing: Middleware = { request, next in try await next(.named("changed")) }
    let repeating: Middleware = { request, next in
      async let second = next(request)
      _ = try await next(request)
      return try await second
    }
    let skipping: Middleware = { _, _ in response(304) }

    _ = try await composed([changing, repeating, noting("b", in: journal)], around: client)(.named("articles"))
    #expect(
      received.values.allSatisfy { $0 == .named("changed") },
      "A middleware may change the request. Pass the next one what `next` was called with.")
    #expect(
      journal.values.sorted() == ["b: request", "b: request", "b: response", "b: response"] && received.values.count == 2,
      "Each call to `next` runs the entire rest of the list, and then the client.")
    let skipped = try await composed([skipping, noting("c", in: journal)], around: client)(.named("articles"))

    #expect(
      skipped.head.statusCode == 304 && journal.values.count == 4 && received.values.count == 2,
      "Call the rest of the list only from `next`. A middleware that doesn't call it skips the rest.")
  }

  @Test("unchanged: an empty middleware list leaves the client as it is")
  func yieldsTheClient() async throws {
    let sut = composed([], around: { request in response(200, request.url?.path ?? "") })

    let result = try await sut(.named("articles"))

    #expect(
      result.data == Data("/articles".utf8), "Without middleware, each request reaches the client, and its response is returned.")
  }

  @Test("unchanged: overlapping requests and cancellations reach the client")
  func passesCancellationsOn() async throws {
    let (client, journal) = (AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false), Inbox<String>())
    let sut = composed([noting("a", in: journal)], around: { try await client.receive($0) })

    let first = Running { try await sut(.named("articles")) }
    await client.receives(1)
    let second = Running { try await sut(.named("comments")) }
    await client.receives(2)
    first.cancel()
    client.complete(1, with: .failure(URLError(.timedOut)))
    client.complete(0, with: .success(response(200)))
    let result = try await first.outcome().expectSuccess(
      "The client has responded, although the task was canceled. Return its response.")

    try await second.outcome().expectFailure(URLError(.timedOut), "Each request gets the client's result for it.")
    #expect(result.head.statusCode == 200, "Each request gets the client's result for it.")
    #expect(client.canceled == [0], "Run the middleware in the caller's task, so that a cancellation reaches the client.")
  }

  @Test("each request carries the token of the current credentials")
  func authorizes() async throws {
    let (received, users) = (Inbox<URLRequest>(), Inbox<Void>())
    let sut = authorizing(with: {
      users.receive(())
      return Credentials(accessToken: "token-\(users.values.count)", refreshToken: "", expiresAt: .distantFuture)
    })

    for (number, status) in [(1, 201), (2, 401)] {
      let result = try await sut(.elaborate) { request in
        received.receive(request)
        return response(status)
      }
      #expect(
        received.values.count == number && result.head.statusCode == status,
        "Send each request once, and return the response of `next`, whatever its status is: a 401 is the caller's to handle.")
      #expect(
        received.values.map(\.sentToken) == (1...number).map { "token-\($0)" },
        "Ask for credentials for each request, and set `Authorization` to `Bearer` and the access token. Any other value is replaced."
      )
    }

    for request in received.values { expectUnchanged(request, from: .elaborate, except: "Authorization") }
  }

  @Test("without credentials, nothing is sent")
  func needsCredentials() async throws {
    try await each("error", in: [SampleError.offline, .notHTTP, .cancellation]) { trouble in
      let (received, users) = (Inbox<URLRequest>(), AsyncCalls<Void, Credentials>(to: "the provider", endsWhenCanceled: false))
      let sut = authorizing(with: { try await users.receive(()) })

      let request = Running {
        try await sut(.named("articles")) { request in
          received.receive(request)
          return response(200)
        }
      }
      await users.receives(1)
      request.cancel()
      await eventually { users.canceled == [0] }
      users.completesEachCall(with: .failure(trouble.error))
      let outcome = try await request.outcome()

      #expect(outcome.failure?.isSame(as: trouble.error) == true, "The credentials could not be obtained. Throw that error.")
      #expect(received.values.isEmpty, "Without credentials, don't call `next`.")
      #expect(users.canceled == [0], "Obtain credentials in the caller's task, so that a cancellation reaches the provider.")
    }
  }

  @Test("hundreds of requests obey these rules, whatever they are")
  func weathersAStorm() async throws {
    var random = SeededRandom(seed: 9)
    try await each("round", in: 1...200) { round in
      let (journal, received) = (Inbox<String>(), Inbox<URLRequest>())
      let (outer, inner) = (["a", "b", "c"].prefix(random.pick(0, 1, 2, 3)), ["d", "e", "f"].prefix(random.pick(0, 1, 2, 3)))
      let request = RandomRequest.random(using: &random).request(for: "/articles?page=\(round)")
      let status = Int.status(using: &random)
      let trouble: SampleError? = random.pick(nil, nil, SampleError.random(using: &random))
      let isSignedIn = random.pick(true, true, false)
      let authorizing = authorizing(with: {
        guard isSignedIn else { throw HTTPClientError.signedOut }
        return Credentials(accessToken: "token-\(round)", refreshToken: "", expiresAt: .distantFuture)
      })
      let sut = composed(
        outer.map { noting($0, in: journal) } + [authorizing] + inner.map { noting($0, in: journal) },
        around: {
          received.receive($0)
          if let trouble { throw trouble.error }
          return response(status, "response \(round)")
        })

      let outcome = try await Running { [request] in try await sut(request) }.outcome()

      // What the outermost sees first, it sees last, unless there is an error.
      let seen = isSignedIn ? outer + inner : outer
      let back: [String] = isSignedIn && trouble == nil ? seen.reversed() : []
      try await naming(["middleware": outer + ["authorizing"] + inner, "request": request.told]) {
        #expect(
          journal.values == seen.map { "\($0): request" } + back.map { "\($0): response" },
          "Each middleware sees the request once, from the outermost to the innermost, and then the response.")
        #expect(
          received.values.count == (isSignedIn ? 1 : 0), "Each request with credentials reaches the client once, and no other.")
        var authorized = request
        authorized.setValue("Bearer token-\(round)", forHTTPHeaderField: "Authorization")
        for sent in received.values {
          #expect(sent.inWords == authorized.inWords, "The request that is sent differs from the caller's in its token only.")
        }
        if !isSignedIn {
          outcome.expectFailure(HTTPClientError.signedOut, "If `credentials` throws, throw its error.")
        } else if let trouble {
          #expect(outcome.failure?.isSame(as: trouble.error) == true, "Pass each error on.")
        } else {
          let result = try outcome.expectSuccess("Pass each response on, whatever its status is.")
          let (received, body): (Int, Data) = (result.head.statusCode, Data("response \(round)".utf8))
          #expect(received == status && result.data == body, "Pass each response on, whatever its status is.")
        }
      }
    }
  }
}

/// Makes a middleware that notes when it sees a request, and when it sees the response.
private func noting(_ name: String, in journal: Inbox<String>) -> Middleware {
  { request, next in
    journal.receive("\(name): request")
    let response = try await next(request)
    journal.receive("\(name): response")
    return response
  }
}
