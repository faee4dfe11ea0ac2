import Given
import TestSupport
import Testing

import typealias Given.Response

@testable import ExerciseMiddleware

@Suite("Step 4: send once more after a 401", .oneAtATime)
struct Step4SendOnceMore {
  @Test("after a 401, a request is sent again with a new token")
  func sendsOnceMore() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let provider = CredentialsProvider(store: CredentialsStoreSpy(.valid), refresher: Refresher(), now: { ManualClock().date })
    let sut = composed(
      [
        authorizing(with: { try await provider.credentials() }),
        reauthorizing(with: { try await provider.credentials(replacing: $0) }),
      ], around: { try await client.receive($0) })

    let request = Running { try await sut(.named("articles")) }
    await client.receives(1)
    client.complete(0, with: .success(response(401)))
    await client.receives(2)
    #expect(
      client.arguments.map(\.sentToken) == ["valid-token", "new-token"],
      "After a 401, call `credentials` with the token that the request carries, and send the request once more, with the new token."
    )
    client.complete(1, with: .success(response(201)))
    let result = try await request.outcome().expectSuccess("The second request has a response. Return it.")

    #expect(result.head.statusCode == 201, "Return the response to the second request, and not the 401.")
  }

  @Test("the second request differs from the first in its token only")
  func changesTheTokenOnly() async throws {
    try await each("method", in: ["GET", "POST", "PUT", "DELETE"], "token", in: ["ada-1", "Grace.2+/="]) { method, token in
      var request = URLRequest.elaborate
      request.httpMethod = method
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")

      let run = try await send(request, endingWith: [.success(response(401)), .success(response(200))])

      #expect(run.rejected == [token], "Call `credentials` once, with the token that the server has rejected.")
      #expect(
        run.sent.map(\.sentToken) == [token, "new-token"],
        "Send a request with any method once more: the server has rejected the first one, so nothing has happened yet.")
      if run.sent.count == 2 { expectUnchanged(run.sent[1], from: request, except: "Authorization") }
    }
  }

  @Test("`credentials` is called after each 401, even for the same token")
  func remembersNothing() async throws {
    let calls = Inbox<String>()
    let sut = reauthorizing(with: {
      calls.receive($0)
      return Credentials(accessToken: "ada-\(calls.values.count + 1)", refreshToken: "", expiresAt: .distantFuture)
    })
    for number in 2...3 {
      let (sent, _) = try await load(
        .authorized(with: "ada-1"), through: sut, endingWith: [.success(response(401)), .success(response(200))])

      #expect(
        sent.map(\.sentToken) == ["ada-1", "ada-\(number)"],
        "Call `credentials` after each 401, and store no token: what it returned for one request may be old for the next.")
    }
  }

  @Test("the second result is the last, even if it is a 401")
  func sendsNoThirdRequest() async throws {
    let rule: Comment = "Send a request twice at most, and pass on the second result, even if it is another 401."
    try await each("second status", in: [401, 200, 403, 500]) { status in
      let run = try await send(endingWith: [.success(response(401, "first")), .success(response(status, "second"))])

      #expect(run.sent.count == 2, rule)
      #expect((try? run.outcome.get().data) == Data("second".utf8), rule)
    }
    try await each("second error", in: SampleError.allCases) { trouble in
      let run = try await send(endingWith: [.success(response(401)), .failure(trouble.error)])

      #expect(run.sent.count == 2 && run.outcome.failure?.isSame(as: trouble.error) == true, rule)
    }
  }

  @Test("without new credentials, their error is thrown, and nothing is sent")
  func needsCredentials() async throws {
    try await each("error", in: SampleError.allCases) { trouble in
      let run = try await send(
        endingWith: [.success(response(401)), .success(response(200))], providing: .failure(trouble.error))

      #expect(
        run.outcome.failure?.isSame(as: trouble.error) == true, "If `credentials` throws, throw that error, and not the 401.")
      #expect(run.sent.count == 1, "Without new credentials, don't send the request again.")
    }
  }

  @Test("a cancellation reaches `credentials`")
  func passesACancellationOn() async throws {
    let provider = AsyncCalls<String, Credentials>(to: "the provider", endsWhenCanceled: false)
    let sut = reauthorizing(with: { try await provider.receive($0) })

    let request = Running { try await sut(.authorized(with: "ada-1")) { _ in response(401) } }
    await provider.receives(1)
    request.cancel()
    await eventually { provider.canceled == [0] }
    provider.completesEachCall(with: .failure(CancellationError()))
    _ = try await request.outcome()

    #expect(provider.canceled == [0], "Call `credentials` in the caller's task, so that a cancellation reaches it.")
  }

  @Test("requests that overlap have their own tokens and results")
  func keepsRequestsApart() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let provider = AsyncCalls<String, Credentials>(to: "the provider")
    let sut = reauthorizing(with: { try await provider.receive($0) })
    let names = ["ada", "grace"]

    var requests: [Running<Response>] = []
    for (index, name) in names.enumerated() {
      requests.append(Running { try await sut(.authorized(with: "\(name)-1")) { try await client.receive($0) } })
      await client.receives(index + 1)
      client.complete(index, with: .success(response(401)))
      await provider.receives(index + 1)
    }
    // The request that was rejected last gets its credentials, and its response, first.
    for index in [1, 0] {
      provider.complete(
        index, with: .success(.init(accessToken: "\(names[index])-2", refreshToken: "", expiresAt: .distantFuture)))
      await client.receives(3 + 1 - index)
    }
    #expect(
      client.arguments.map(\.sentToken) == ["ada-1", "grace-1", "grace-2", "ada-2"],
      "Send each request with the token that `credentials` has returned for it. What does your middleware keep between two calls?"
    )
    for (index, name) in [(2, "grace"), (3, "ada")] { client.complete(index, with: .success(response(200, name))) }

    for (name, request) in zip(names, requests) {
      let result = try await request.outcome().expectSuccess("Each request gets the response to it.")
      #expect(result.data == Data(name.utf8), "Each request gets the response to it.")
    }
  }

  @Test("unchanged: any other result is passed on")
  func passesTheRestOn() async throws {
    let rule: Comment = "Only a 401 means that the server rejects the token. Pass on any other response, and any error."
    try await each("status", in: [100, 200, 304, 400, 403, 407, 500, 503, 599]) { status in
      let run = try await send(endingWith: [.success(response(status)), .success(response(200))])

      #expect(run.sent.count == 1 && run.rejected.isEmpty, rule)
      #expect((try? run.outcome.get().head.statusCode) == status, rule)
    }
    try await each("error", in: SampleError.allCases) { trouble in
      let run = try await send(endingWith: [.failure(trouble.error), .success(response(200))])

      #expect(run.sent.count == 1 && run.rejected.isEmpty, rule)
      #expect(run.outcome.failure?.isSame(as: trouble.error) == true, rule)
    }
  }

  @Test("unchanged: streams and requests without a bearer token are sent once")
  func sendsTheRestOnce() async throws {
    try await each("`Authorization`", in: [nil, "Basic QWRhOjE="]) { (field: String?) in
      var request = URLRequest.named("articles")
      request.setValue(field, forHTTPHeaderField: "Authorization")

      try await expectSentOnce(request, "The request carries no bearer token, so no token was rejected. Return the 401.")
    }
    var request = URLRequest.authorized(with: "ada-1")
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("a long article".utf8))

    try await expectSentOnce(request, "A body that is a stream can be read only once. Return the 401 of such a request.")
  }

  private func expectSentOnce(
    _ request: URLRequest, _ rule: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await send(request, endingWith: [.success(response(401)), .success(response(200))])

    #expect(run.sent.count == 1 && run.rejected.isEmpty, rule, sourceLocation: sourceLocation)
    #expect((try? run.outcome.get().head.statusCode) == 401, rule, sourceLocation: sourceLocation)
  }

  /// Sends a request through the middleware.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - results: What the client ends its calls with, one after the other.
  ///   - credentials: What `credentials` returns or throws.
  /// - Returns: The requests that reached the client, the tokens that `credentials` was called with, and how the request ended.
  private func send(
    _ request: URLRequest = .authorized(with: "ada-1"), endingWith results: [Result<Response, any Error>],
    providing credentials: Result<Credentials, any Error> = .success(.renewed)
  ) async throws -> (sent: [URLRequest], rejected: [String], outcome: Result<Response, any Error>) {
    let rejected = Inbox<String>()
    let sut = reauthorizing(with: {
      rejected.receive($0)
      return try credentials.get()
    })
    let (sent, outcome) = try await load(request, through: sut, endingWith: results)
    return (sent, rejected.values, outcome)
  }
}

private struct Refresher: AsyncCredentialsRefresher {
  func refresh(with refreshToken: String) async throws -> Credentials { .renewed }
}

extension URLRequest {
  fileprivate static func authorized(with token: String) -> URLRequest {
    var request = URLRequest.named("articles")
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return request
  }
}
