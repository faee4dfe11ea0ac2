import Given
import TestSupport
import Testing

@testable import Exercise4

/// A decorator and everything that it uses.
///
/// This is a class whose last property is the decorator: if a solution turns the decorator into a struct, an incremental build
/// does not compile every file that uses a scene again, and those files must still find the other properties.
final class Scene {
  let client = HTTPClientSpy()
  let refresher = CredentialsRefresherSpy()
  let clock = ManualClock()
  let store: CredentialsStoreSpy
  private let loads = Locked(0)
  private let results = Locked<[String: Inbox<HTTPResult>]>([:])
  let sut: RefreshCredentialsHTTPClientDecorator

  /// - Parameter credentials: The credentials of the signed-in user; `nil` if no one is signed in.
  init(credentials: Credentials?) {
    store = CredentialsStoreSpy(credentials)
    sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { [clock] in clock.date })
  }

  /// Loads requests, one after the other, without waiting for their results. The name of a request is its path.
  func load(_ names: String...) {
    for name in names { load(.named(name), as: name) }
  }

  /// Loads a request without waiting for its result.
  func load(_ request: URLRequest, as name: String = "the request") {
    loads.withLock { $0 += 1 }
    sut.load(request, completion: inbox(name).receive)
  }

  /// The requests that were sent: the name of each, and its token.
  var sent: [String] {
    client.requests.map { "\($0.url?.lastPathComponent ?? "") \($0.token ?? "without a token")" }
  }

  /// The refresh tokens that the refresher was called with.
  var refreshTokens: [String] {
    refresher.calls.arguments
  }

  /// Waits until a number of requests has been sent: the solution may use a queue or a task.
  ///
  /// - Parameter count: The number of all requests that were ever sent.
  func sends(_ count: Int) async {
    await client.calls.receives(count)
  }

  /// Waits until the refresher has been called a number of times, and until the store has been read for every request: only
  /// then does every request wait for the refresh.
  ///
  /// - Parameter count: The number of all calls.
  func refreshes(_ count: Int) async {
    await refresher.calls.receives(count)
    await store.reads.receives(loads.withLock { $0 })
  }

  /// Whether the completion of a request has been called.
  func isComplete(_ name: String = "the request") -> Bool {
    !inbox(name).values.isEmpty
  }

  /// Waits for the result of a request. Reports if there is none, or more than one.
  func result(
    of name: String = "the request", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    try await result(
      of: name, "The completion of `\(name)` was never called. Check that every path through your code leads to it.",
      sourceLocation: sourceLocation)
  }

  /// Expects that a request fails once, with a certain error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - name: The name of the request.
  ///   - expectation: When and why it should fail, as a sentence to the learner.
  ///   - sourceLocation: Where to report a failure.
  func expectFailure<E: Error & Equatable>(
    _ error: E, of name: String = "the request", _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await result(of: name, "\(expectation) Nothing was delivered.", sourceLocation: sourceLocation)
      .expectFailure(error, expectation, sourceLocation: sourceLocation)
  }

  /// Expects that a request fails once, with the error of the refresh.
  ///
  /// - Parameters:
  ///   - error: The error that the refresher delivered.
  ///   - name: The name of the request.
  ///   - sourceLocation: Where to report a failure.
  func expectErrorOfRefresh(
    _ error: any Error, of name: String = "the request", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let expectation = "The refresh failed with \(error), which is not a refusal. Deliver that error unchanged."
    let result = try await result(of: name, "\(expectation) Nothing was delivered.", sourceLocation: sourceLocation)
    let instead = result.failure.map { "\($0)" } ?? "the response \(result.text ?? "")"
    let delivered = result.failure.map { $0 as NSError }
    #expect(
      delivered?.domain == (error as NSError).domain && delivered?.code == (error as NSError).code,
      "\(expectation) Delivered instead: \(instead)", sourceLocation: sourceLocation)
  }

  private func result(of name: String, _ comment: Comment, sourceLocation: SourceLocation) async throws -> HTTPResult {
    try await inbox(name).only(comment, sourceLocation: sourceLocation)
  }

  private func inbox(_ name: String) -> Inbox<HTTPResult> {
    results.withLock { results in
      let inbox = results[name] ?? Inbox()
      results[name] = inbox
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

extension Credentials {
  /// The credentials of another user, who signs in during a test. Valid for 15 minutes on a new clock.
  static let newUser = Credentials(
    accessToken: "new-user", refreshToken: "new-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(900))

  /// The credentials of the same user, which expire when a new clock starts.
  static let expiredNewUser = Credentials(
    accessToken: "new-user-expired", refreshToken: "new-user-refresh", expiresAt: ManualClock().date)

  /// The credentials that a third refresh may deliver.
  static let newest = Credentials(
    accessToken: "newest-token", refreshToken: "refresh-3", expiresAt: ManualClock().date.addingTimeInterval(86_400))
}
