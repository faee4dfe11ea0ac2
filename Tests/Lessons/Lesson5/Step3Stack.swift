import Given
import TestSupport
import Testing

@testable import Exercise5

@Suite("Step 3: stack", .oneAtATime)
struct Step3Stack {
  @Test("with the block list outermost, a blocked request leaves no record")
  func blockOutsideLogsNothing() async throws {
    let scene = Scene(isBlocked: true)

    try await scene.load(with: scene.makeBlockOutside(), completing: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account is on the list, so this stack should deliver the error. Check that it contains the blocking decorator.")

    #expect(scene.client.requests.isEmpty, "The account is on the list, so the request should not reach the client.")
    #expect(scene.log.values.isEmpty, "The request should not reach the logger. Check which decorator is outermost.")
  }

  @Test("with the logger outermost, a blocked request leaves a record")
  func loggerOutsideLogsTheBlock() async throws {
    let scene = Scene(isBlocked: true)

    try await scene.load(with: scene.makeLoggerOutside(), completing: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account is on the list, so this stack should deliver the error. Check that it contains the blocking decorator.")

    #expect(scene.client.requests.isEmpty, "The account is on the list, so the request should not reach the client.")
    await scene.log.receives(1)
    #expect(
      scene.log.values.map(\.outcome) == [.blocked],
      "The logger should record the error that its decoratee delivers. Check which decorator is outermost.")
  }

  @Test("with the block list outermost, the log shows the 403")
  func blockOutsideLogsTheStatus() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeBlockOutside(), completing: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The response announces a block, so this stack should deliver the error. Check that it contains the blocking decorator.")

    await scene.log.receives(1)
    #expect(
      scene.log.values.map(\.outcome) == [.status(403)],
      "The logger should record what the client delivers: the 403. Check which decorator is outermost.")
  }

  @Test("with the logger outermost, the log shows an error for the 403")
  func loggerOutsideLogsTheError() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeLoggerOutside(), completing: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The response announces a block, so this stack should deliver the error. Check that it contains the blocking decorator.")

    await scene.log.receives(1)
    #expect(
      scene.log.values.map(\.outcome) == [.blocked],
      "The logger should record what the blocking decorator delivers: the error. Check which decorator is outermost.")
  }

  @Test("both stacks send an unblocked request and record it once")
  func bothSendTheRest() async throws {
    try await each("outermost decorator", in: Outermost.allCases) { outermost in
      let scene = Scene()
      let sut = outermost == .block ? scene.makeBlockOutside() : scene.makeLoggerOutside()

      let result = try await scene.load(.elaborate, with: sut, completing: .status(200, "body"))

      #expect(
        result.text == "200 body",
        "Nothing blocks this account, so the client's response should be delivered. Pass it on in both decorators.")
      await scene.log.receives(1)
      #expect(scene.log.values.count == 1, "One request should leave one record. Use one logger in each stack.")
    }
  }

  @Test("both stacks measure durations with the given clock")
  func bothMeasure() async throws {
    await each("outermost decorator", in: Outermost.allCases) { outermost in
      let scene = Scene()
      let client = ClosureClient { [clock = scene.clock] _, completion in
        clock.advance(by: 3)
        completion(.status(200))
      }
      let sut = outermost == .block ? scene.makeBlockOutside(around: client) : scene.makeLoggerOutside(around: client)

      sut.load(.named("articles")) { _ in }

      await scene.log.receives(1)
      #expect(
        scene.log.values.map(\.duration) == [.seconds(3)],
        "On the stopwatch, the client took 3 seconds. Put a logger into the stack, and pass `now` to it.")
    }
  }

  @Test("you correctly predicted how many records a blocked request leaves")
  func predictsTheRecords() async throws {
    let prediction = Predictions.recordsOfABlockedRequest
    let isComplete = prediction.blockOutside != nil && prediction.loggerOutside != nil
    try #require(isComplete, "A prediction is missing. Replace each `nil` in `Predictions.recordsOfABlockedRequest`.")

    let (blockOutside, loggerOutside) = await logs(isBlocked: true, completing: .status(200))
    try #require(
      blockOutside.isEmpty && loggerOutside == [.blocked],
      "Your prediction cannot be checked yet: at least one stack's log is wrong. Finish both stacks first.")

    #expect(
      prediction.blockOutside == blockOutside.count,
      "Your prediction for `blockOutside` does not match the log. Follow the request inward: does it reach the logger?")
    #expect(
      prediction.loggerOutside == loggerOutside.count,
      "Your prediction for `loggerOutside` does not match the log. Follow the request inward: does it reach the logger?")
  }

  @Test("you correctly predicted whether the log shows the 403")
  func predictsTheStatus() async throws {
    let prediction = Predictions.logShowsThe403
    let isComplete = prediction.blockOutside != nil && prediction.loggerOutside != nil
    try #require(isComplete, "A prediction is missing. Replace each `nil` in `Predictions.logShowsThe403`.")

    let (blockOutside, loggerOutside) = await logs(isBlocked: false, completing: .permanentBlock)
    try #require(
      blockOutside == [.status(403)] && loggerOutside == [.blocked],
      "Your prediction cannot be checked yet: at least one stack's log is wrong. Finish both stacks first.")

    #expect(
      prediction.blockOutside == true,
      "Your prediction for `blockOutside` does not match the log. Follow the 403 outward: which decorator sees it first?")
    #expect(
      prediction.loggerOutside == false,
      "Your prediction for `loggerOutside` does not match the log. Follow the 403 outward: which decorator sees it first?")
  }
}

extension Scene {
  fileprivate func makeBlockOutside(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    Stacks.blockOutside(client: decoratee ?? client, blockList: blockList, log: log, now: { [clock] in clock.now })
  }

  fileprivate func makeLoggerOutside(around decoratee: (any HTTPClient)? = nil) -> any HTTPClient {
    Stacks.loggerOutside(client: decoratee ?? client, blockList: blockList, log: log, now: { [clock] in clock.now })
  }
}

/// The outcomes that both stacks log for one request to a client that completes immediately.
private func logs(
  isBlocked: Bool, completing result: HTTPResult
) async -> (blockOutside: [HTTPLogRecord.Outcome], loggerOutside: [HTTPLogRecord.Outcome]) {
  let client = ClosureClient { _, completion in completion(result) }
  let (one, two) = (Scene(isBlocked: isBlocked), Scene(isBlocked: isBlocked))
  let results = Inbox<HTTPResult>()

  one.makeBlockOutside(around: client).load(.named("articles"), completion: results.receive)
  two.makeLoggerOutside(around: client).load(.named("articles"), completion: results.receive)
  await results.receives(2)
  await two.log.receives(1)
  if !isBlocked { await one.log.receives(1) }

  return (one.log.values.map(\.outcome), two.log.values.map(\.outcome))
}

extension HTTPLogRecord.Outcome {
  /// The outcome of a request that the blocking decorator has stopped.
  fileprivate static let blocked: Self = {
    let error = HTTPClientError.permanentlyBlocked as NSError
    return .error(domain: error.domain, code: error.code)
  }()
}

/// The decorator on the outside of a stack.
enum Outermost: CaseIterable {
  case block
  case logger
}
