import Given
import TestSupport
import Testing

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

  @Test("with `blockOutside`, requests from a blocked account are not sent")
  func blockOutsideStops() async {
    await story(
      World(.blockOutside, isBlocked: true),
      "In `blockOutside`, a request should first reach the blocking decorator: it is the outermost one."
    ) {
      await $0.load("/articles", leadsToAllOf: ["/articles receives permanentlyBlocked"])
    }
  }

  @Test("with `loggerOutside`, requests from a blocked account are not sent")
  func loggerOutsideStops() async {
    await story(
      World(.loggerOutside, isBlocked: true),
      "In `loggerOutside`, a request should first reach the logger: it is the outermost decorator."
    ) {
      await $0.load(
        "/articles",
        leadsToAllOf: [
          "/articles receives permanentlyBlocked",
          "the log shows GET /articles, permanentlyBlocked, 0.0 seconds",
        ])
    }
  }

  @Test("with `blockOutside`, an announced block puts the account on the block list")
  func blockOutsideNotices() async {
    await story(
      World(.blockOutside), "In `blockOutside`, a result should first reach the logger: it is the innermost decorator."
    ) {
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.end(
        with: .permanentBlock,
        leadsToAllOf: [
          "the account is on the block list", "/articles receives permanentlyBlocked",
          "the log shows GET /articles, 403, 0.0 seconds",
        ])
    }
  }

  @Test("with `loggerOutside`, an announced block puts the account on the block list")
  func loggerOutsideNotices() async {
    await story(
      World(.loggerOutside),
      "In `loggerOutside`, a result should first reach the blocking decorator: it is the innermost one."
    ) {
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.end(
        with: .permanentBlock,
        leadsToAllOf: [
          "the account is on the block list", "/articles receives permanentlyBlocked",
          "the log shows GET /articles, permanentlyBlocked, 0.0 seconds",
        ])
    }
  }

  @Test("both stacks send and log requests from an unblocked account")
  func bothSendTheRest() async {
    await each("stack", in: [Subject.blockOutside, .loggerOutside]) { stack in
      await story(World(stack), "Each stack should have one logger, which measures the duration with `now`.") {
        await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
        await $0.advance(by: 3)
        await $0.end(
          with: .status(200), leadsToAllOf: ["/articles receives 200", "the log shows GET /articles, 200, 3.0 seconds"])
      }
    }
  }

  @Test("you correctly predicted how many records each log gets")
  func predictsTheRecords() {
    // A Boolean hides the prediction's value, and so the solution, from the failure.
    let (block, logger) = Predictions.recordsOfABlockedRequest
    let (blockIsRight, loggerIsRight) = (block == 0, logger == 1)
    #expect(
      blockIsRight,
      "The prediction for `blockOutside` is not right yet. Follow the request inward: how far does it get?")
    #expect(
      loggerIsRight,
      "The prediction for `loggerOutside` is not right yet. Follow the request inward: which decorators does it reach?")
  }

  @Test("you correctly predicted which stack's log shows a 403 announcing a block")
  func predictsTheStatus() {
    let (block, logger) = Predictions.logShowsThe403
    let (blockIsRight, loggerIsRight) = (block == true, logger == false)
    #expect(
      blockIsRight,
      "The prediction for `blockOutside` is not right yet. Follow the response outward: which decorator sees it first?")
    #expect(
      loggerIsRight,
      "The prediction for `loggerOutside` is not right yet. Follow the response outward: which decorator sees it first?")
  }
}
