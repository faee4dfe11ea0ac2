import Given
import TestSupport
import Testing

@testable import Exercise5

/// A decorator's collaborators.
struct Scene {
  let client = HTTPClientSpy()
  let blockList: BlockListSpy
  let log = Inbox<HTTPLogRecord>()
  let clock = ManualClock()

  /// - Parameter isBlocked: Whether the account is on the block list at first.
  init(isBlocked: Bool = false) {
    blockList = BlockListSpy(isBlocked: isBlocked)
  }

  /// Creates a blocking decorator around a client: the spy, unless the test passes another one.
  func makeBlocking(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    PermanentBlockHTTPClientDecorator(decoratee: decoratee ?? client, blockList: blockList)
  }

  /// Creates a logging decorator around a client: the spy, unless the test passes another one.
  func makeLogging(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    LoggerHTTPClientDecorator(decoratee: decoratee ?? client, log: log, now: { [clock] in clock.now })
  }

  /// Loads a request, completes it when it has reached the client, and checks that there is exactly one result.
  ///
  /// - Parameters:
  ///   - request: The request to load.
  ///   - sut: The client to load it with.
  ///   - result: The result that the spy delivers; `nil` for a request that must not reach the spy.
  func load(
    _ request: URLRequest = .named("articles"), with sut: any HTTPClient, completing result: HTTPResult? = .status(200),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    let (results, before) = (Inbox<HTTPResult>(), client.requests.count)

    sut.load(request, completion: results.receive)
    if let result {
      await client.calls.receives(before + 1)
      try #require(
        client.requests.count > before, "The request should be forwarded. Call the decoratee in `load`.",
        sourceLocation: sourceLocation)
      client.calls.complete(before, with: result, sourceLocation: sourceLocation)
    }

    return try await results.only(
      client.requests.count > before && result == nil
        ? "The request was forwarded, although the account is blocked. Deliver the error without calling the decoratee."
        : "The completion was never called. Check every path through `load`.",
      sourceLocation: sourceLocation)
  }
}

extension Result where Failure == any Error {
  /// Checks that an error was delivered unchanged.
  ///
  /// - Parameters:
  ///   - expected: The error of the decoratee.
  ///   - sourceLocation: The place to report another result.
  func expectSameError(as expected: any Error, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let error = try #require(
      failure, "The decoratee's error should be delivered, but a response was delivered. Pass the result on.",
      sourceLocation: sourceLocation)
    #expect(
      error.isSame(as: expected), "The decoratee's error should be delivered unchanged. Delivered instead: \(error)",
      sourceLocation: sourceLocation)
  }
}

/// An object whose release a test observes.
final class Token {}

/// Creates a client that completes immediately with a status of 200 and retains a token.
func makeImmediateClient(retaining token: Token = Token()) -> ClosureClient {
  ClosureClient { _, completion in withExtendedLifetime(token) { completion(.status(200)) } }
}
