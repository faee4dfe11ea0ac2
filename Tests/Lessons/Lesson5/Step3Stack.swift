import Given
import TestSupport
import Testing

@testable import Exercise5

@Suite("Step 3: stack", .patientOnce)
struct Step3Stack {
  @Test("with the block list outside, a blocked account's request leaves no record")
  func blockOutsideKeepsTheLogClean() async throws {
    let scene = Scene(isBlocked: true)

    try await scene.load(with: scene.makeBlockOutside(), answering: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account is on the list: this stack blocks, like any stack with the decorator in it.")

    #expect(scene.client.requests.isEmpty, "The account is on the list: the client must not be asked.")
    #expect(scene.log.values.isEmpty, "The request never got as far as the logger.")
  }

  @Test("with the logger outside, a blocked account's request leaves a record of the error")
  func loggerOutsideRecordsTheBlock() async throws {
    let scene = Scene(isBlocked: true)

    try await scene.load(with: scene.makeLoggerOutside(), answering: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account is on the list: this stack blocks, like any stack with the decorator in it.")

    #expect(scene.client.requests.isEmpty, "The account is on the list: the client must not be asked.")
    await scene.log.receives(1)
    #expect(
      scene.log.values.map(\.outcome) == [.blocked],
      "The logger sees what the block list delivers: one failure, `HTTPClientError.permanentlyBlocked`.")
  }

  @Test("with the block list outside, the record of the answer that blocks shows the server's 403")
  func blockOutsideRecordsTheStatus() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeBlockOutside(), answering: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked, "The back end blocked the account.")

    await scene.log.receives(1)
    #expect(scene.log.values.map(\.outcome) == [.status(403)], "The logger is next to the client, and sees what it delivers.")
  }

  @Test("with the logger outside, the record of the answer that blocks shows the error")
  func loggerOutsideRecordsTheError() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeLoggerOutside(), answering: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked, "The back end blocked the account.")

    await scene.log.receives(1)
    #expect(
      scene.log.values.map(\.outcome) == [.blocked], "The logger sees what the block list made of the answer: an error.")
  }

  @Test("any other request is blocked by neither and recorded once by both", arguments: Outermost.allCases)
  func bothLetTheRestThrough(outermost: Outermost) async throws {
    let scene = Scene()
    let sut = outermost == .block ? scene.makeBlockOutside() : scene.makeLoggerOutside()

    let answer = try await scene.load(.elaborate, with: sut, answering: .status(200, "answer"))

    #expect(answer.text == "200 answer", "Nothing is blocked here: the answer comes back as the client delivered it.")
    await scene.log.receives(1)
    #expect(scene.log.values.count == 1, "One request leaves one record: the stack has one logger in it.")
  }

  @Test("both measure with the stopwatch that they are given", arguments: Outermost.allCases)
  func bothMeasure(outermost: Outermost) async throws {
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
      "The client took 3 seconds on the stopwatch that `now` reads: hand `now` on to the logger.")
  }

  @Test("you predicted how many records a blocked request leaves")
  func predictsTheRecords() async throws {
    let prediction = Predictions.recordsOfABlockedRequest
    let isComplete = prediction.blockOutside != nil && prediction.loggerOutside != nil
    try #require(isComplete, "First write your prediction down, in `Predictions.recordsOfABlockedRequest`.")

    let (blockOutside, loggerOutside) = await logs(isBlocked: true, answering: .status(200))
    try #require(
      blockOutside.isEmpty && loggerOutside == [.blocked],
      "There is nothing to compare your prediction with yet: one of the stacks is not what its name says.")

    #expect(
      prediction.blockOutside == blockOutside.count,
      "You expected something else with the block list outside. Follow the request inwards: does it pass the logger?")
    #expect(
      prediction.loggerOutside == loggerOutside.count,
      "You expected something else with the logger outside. Follow the request inwards: does it pass the logger?")
  }

  @Test("you predicted what the log shows of the answer that blocks")
  func predictsTheStatus() async throws {
    let prediction = Predictions.logShowsThe403
    let isComplete = prediction.blockOutside != nil && prediction.loggerOutside != nil
    try #require(isComplete, "First write your prediction down, in `Predictions.logShowsThe403`.")

    let (blockOutside, loggerOutside) = await logs(isBlocked: false, answering: .permanentBlock)
    try #require(
      blockOutside == [.status(403)] && loggerOutside == [.blocked],
      "There is nothing to compare your prediction with yet: one of the stacks is not what its name says.")

    #expect(
      prediction.blockOutside == true,
      "You expected something else with the block list outside. Follow the answer outwards: who sees it first, and what is it then?"
    )
    #expect(
      prediction.loggerOutside == false,
      "You expected something else with the logger outside. Follow the answer outwards: who sees it first, and what is it then?"
    )
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

/// What the two stacks leave in their logs after one request to a client that answers at once.
private func logs(
  isBlocked: Bool, answering answer: HTTPResult
) async -> (blockOutside: [HTTPLogRecord.Outcome], loggerOutside: [HTTPLogRecord.Outcome]) {
  let client = ClosureClient { _, completion in completion(answer) }
  let (one, two) = (Scene(isBlocked: isBlocked), Scene(isBlocked: isBlocked))
  let answers = Inbox<HTTPResult>()

  one.makeBlockOutside(around: client).load(.named("articles"), completion: answers.receive)
  two.makeLoggerOutside(around: client).load(.named("articles"), completion: answers.receive)
  await answers.receives(2)
  await two.log.receives(1)
  if !isBlocked { await one.log.receives(1) }

  return (one.log.values.map(\.outcome), two.log.values.map(\.outcome))
}

extension HTTPLogRecord.Outcome {
  /// The outcome of a request that the block list has kept home.
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
