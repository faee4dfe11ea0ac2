import Given
import TestSupport
import Testing

@testable import Exercise4

/// A decorator and everything that it talks to.
struct Scene {
  let client = HTTPClientSpy()
  let refresher = CredentialsRefresherSpy()
  let clock = ManualClock()
  let store: CredentialsStoreSpy
  let sut: RefreshCredentialsHTTPClientDecorator

  private let answers = Locked<[String: Inbox<HTTPResult>]>([:])

  /// - Parameter credentials: Of the user who is signed in; `nil` when nobody is.
  init(credentials: Credentials?) {
    store = CredentialsStoreSpy(credentials)
    sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { [clock] in clock.date })
  }

  /// Loads requests, one after the other, without waiting for their answers. Each asks for the path that is its name.
  func load(_ names: String...) {
    for name in names { load(.named(name), as: name) }
  }

  /// Loads a request without waiting for its answer.
  func load(_ request: URLRequest, as name: String = "the request") {
    sut.load(request, completion: inbox(name).receive)
  }

  /// What has been sent: the name of each request, and its token.
  var sent: [String] {
    client.requests.map { "\($0.url?.lastPathComponent ?? "") \($0.token ?? "without a token")" }
  }

  /// The refresh tokens that the refresher was asked with.
  var refreshTokens: [String] {
    refresher.calls.arguments
  }

  /// Waits a moment for a number of requests to be sent, all in all: your code may work on a queue or in a task.
  func sends(_ count: Int) async {
    await client.calls.receives(count)
  }

  /// Waits a moment for the refresher to be asked a number of times, all in all.
  func refreshes(_ count: Int) async {
    await refresher.calls.receives(count)
  }

  /// Whether a request has its answer already.
  func isAnswered(_ name: String = "the request") -> Bool {
    !inbox(name).values.isEmpty
  }

  /// The one answer to a request. Waits for it a moment; reports when there is none, or more than one.
  func answer(to name: String = "the request", sourceLocation: SourceLocation = #_sourceLocation) async throws -> HTTPResult {
    try await answer(
      to: name, "The completion of \(name) was never called, and everybody who could be waited for has answered.",
      sourceLocation: sourceLocation)
  }

  /// Expects that a request fails, once, and with a certain error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - name: Which request.
  ///   - expectation: When and why it should fail, as a sentence to the learner.
  ///   - sourceLocation: Where to report.
  func expectFailure<E: Error & Equatable>(
    _ error: E, of name: String = "the request", _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await answer(to: name, "\(expectation) Nothing was delivered.", sourceLocation: sourceLocation)
      .expectFailure(error, expectation, sourceLocation: sourceLocation)
  }

  private func answer(to name: String, _ comment: Comment, sourceLocation: SourceLocation) async throws -> HTTPResult {
    try await inbox(name).only(comment, sourceLocation: sourceLocation)
  }

  private func inbox(_ name: String) -> Inbox<HTTPResult> {
    answers.withLock { answers in
      let inbox = answers[name] ?? Inbox()
      answers[name] = inbox
      return inbox
    }
  }
}

extension URLRequest {
  /// The bearer token that the request carries.
  var token: String? {
    guard let value = value(forHTTPHeaderField: "Authorization"), value.hasPrefix("Bearer ") else { return nil }
    return String(value.dropFirst("Bearer ".count))
  }
}

/// How a refresh ends.
enum RefreshOutcome: CaseIterable {
  case succeeds
  case fails

  var result: Result<Credentials, any Error> {
    self == .succeeds ? .success(.renewed) : .failure(URLError(.timedOut))
  }
}
