import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise5

@Suite("Step 3: stack", .oneAtATime)
struct Step3Stack {
  @Test("you have written down your predictions")
  func predictsFirst() {
    let (records, the403) = (Predictions.recordsOfABlockedRequest, Predictions.logShowsThe403)
    let isComplete =
      records.blockOutside != nil && records.loggerOutside != nil && the403.blockOutside != nil && the403.loggerOutside != nil
    #expect(isComplete, "Predict before you build the stacks: replace each `nil` in `Predictions`.")
  }

  @Test("with `blockOutside`, a blocked request does not reach the logger")
  func blockOutsideStops() async throws {
    let (log, sent) = try await load(through: .blockOutside, isBlocked: true)

    #expect(sent == 0, "For an account on the block list, send nothing, in either stack.")
    #expect(log.isEmpty, "In `blockOutside`, a request should first reach the blocking decorator: it is the outermost one.")
  }

  @Test("with `loggerOutside`, a blocked request leaves a record")
  func loggerOutsideStops() async throws {
    let (log, sent) = try await load(through: .loggerOutside, isBlocked: true)

    #expect(sent == 0, "For an account on the block list, send nothing, in either stack.")
    #expect(
      log.map(\.outcome) == [.init(of: .failure(HTTPClientError.permanentlyBlocked))],
      "In `loggerOutside`, a request should first reach the logger: it is the outermost decorator.")
  }

  @Test("with `blockOutside`, the log shows the 403 that announces a block")
  func blockOutsideNotices() async throws {
    let (log, _) = try await load(through: .blockOutside, result: .permanentBlock)

    #expect(
      log.map(\.outcome) == [.status(403)],
      "In `blockOutside`, a result should first reach the logger: it is the innermost decorator.")
  }

  @Test("with `loggerOutside`, the log shows `permanentlyBlocked` and no 403")
  func loggerOutsideNotices() async throws {
    let (log, _) = try await load(through: .loggerOutside, result: .permanentBlock)

    #expect(
      log.map(\.outcome) == [.init(of: .failure(HTTPClientError.permanentlyBlocked))],
      "In `loggerOutside`, a result should first reach the blocking decorator: it is the innermost one.")
  }

  @Test("both stacks send and log requests from an unblocked account")
  func bothSendTheRest() async throws {
    try await each("stack", in: [Subject.blockOutside, .loggerOutside]) { stack in
      let (log, sent) = try await load(through: stack)

      #expect(
        sent == 1, "Each stack forwards what is not blocked, once, even if the account was on the list when the stack was made.")
      #expect(
        log.map(\.duration) == [.seconds(3)], "Each stack should have one logger, which measures the duration with `now`.")
    }
  }

  @Test("you correctly predicted how many records each log gets")
  func predictsTheRecords() {
    let (blockIsRight, loggerIsRight) = recordsAreRight
    #expect(
      blockIsRight,
      "The prediction for `blockOutside` is not right yet. Follow the request inward: how far does it get?")
    #expect(
      loggerIsRight,
      "The prediction for `loggerOutside` is not right yet. Follow the request inward: which decorators does it reach?")
  }

  @Test("you correctly predicted which stack's log shows a 403 announcing a block")
  func predictsTheStatus() {
    let (blockIsRight, loggerIsRight) = statusIsRight
    #expect(
      blockIsRight,
      "The prediction for `blockOutside` is not right yet. Follow the response outward: which decorator sees it first?")
    #expect(
      loggerIsRight,
      "The prediction for `loggerOutside` is not right yet. Follow the response outward: which decorator sees it first?")
  }

  @Test("hundreds of requests obey the rules of both decorators, in both orders")
  func weathersAStorm() async {
    await each("stack", in: [Subject.blockOutside, .loggerOutside]) { await expectEachRequestIsRight(through: $0) }
  }

  /// Loads a request that takes three seconds.
  ///
  /// - Returns: The records, and the number of requests that were sent.
  private func load(
    through stack: Subject, isBlocked: Bool = false, result: HTTPResult = .status(200),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (log: [HTTPLogRecord], sent: Int) {
    let (list, log, clock, results) = (
      BlockListSpy(isBlocked: !isBlocked), Inbox<HTTPLogRecord>(), ManualClock(), Inbox<HTTPResult>()
    )
    let client = HTTPClientSpy { _ in
      clock.advance(by: 3)
      return result
    }

    let sut = stack.make(client, list, log, { clock.now })
    list.isBlocked = isBlocked
    sut.load(.named("articles"), completion: results.receive)

    let delivered = try await results.only("Nothing was delivered. Each request has a result.", sourceLocation: sourceLocation)
    if isBlocked || result.announcesBlock {
      delivered.expectFailure(
        HTTPClientError.permanentlyBlocked, "Both stacks contain the blocking decorator.", sourceLocation: sourceLocation)
    }
    #expect(
      list.isBlocked == (isBlocked || result.announcesBlock), "The list changes as in step 1.", sourceLocation: sourceLocation)
    await settled { log.values.count == 1 }
    return (log.values, client.requests.count)
  }

  // A Boolean hides the right value, and so the solution, from the failure. `kata` shows the code of a failing test, so the value
  // is not there.
  private var recordsAreRight: (blockOutside: Bool, loggerOutside: Bool) {
    let (block, logger) = Predictions.recordsOfABlockedRequest
    return (block == 0, logger == 1)
  }

  private var statusIsRight: (blockOutside: Bool, loggerOutside: Bool) {
    let (block, logger) = Predictions.logShowsThe403
    return (block == true, logger == false)
  }
}
