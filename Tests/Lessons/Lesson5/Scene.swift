import Given
import TestSupport
import Testing

@testable import Exercise5

/// A decorator and everything that it talks to.
struct Scene {
  let client = HTTPClientSpy()
  let blockList: BlockListSpy
  let log = Inbox<HTTPLogRecord>()
  let clock = ManualClock()

  /// - Parameter isBlocked: Whether the account is on the block list at first.
  init(isBlocked: Bool = false) {
    blockList = BlockListSpy(isBlocked: isBlocked)
  }

  /// A blocking decorator around the client, or around what is given.
  func makeBlocking(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    PermanentBlockHTTPClientDecorator(decoratee: decoratee ?? client, blockList: blockList)
  }

  /// A logging decorator around the client, or around what is given.
  func makeLogging(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    LoggerHTTPClientDecorator(decoratee: decoratee ?? client, log: log, now: { [clock] in clock.now })
  }

  /// Loads a request, answers it when it has reached the client, and checks that there is exactly one answer.
  ///
  /// - Parameters:
  ///   - request: What to load.
  ///   - sut: Whom to ask.
  ///   - answer: What the client answers; `nil` for a request that must not get there.
  func load(
    _ request: URLRequest = .named("articles"), with sut: any HTTPClient, answering answer: HTTPResult? = .status(200),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> HTTPResult {
    let (answers, before) = (Inbox<HTTPResult>(), client.requests.count)

    sut.load(request, completion: answers.receive)
    if let answer {
      await client.calls.receives(before + 1)
      try #require(
        client.requests.count > before, "The request has to be forwarded to the decoratee.", sourceLocation: sourceLocation)
      client.calls.complete(before, with: answer, sourceLocation: sourceLocation)
    }

    return try await answers.only(
      client.requests.count > before && answer == nil
        ? "The request went to the decoratee, and must not: deliver the error without asking anybody."
        : "The completion was never called.",
      sourceLocation: sourceLocation)
  }
}
