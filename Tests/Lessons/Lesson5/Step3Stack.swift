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

  @Test("`blockOutside` stops a request from a blocked account")
  func blockOutsideStops() async {
    await story(
      .blockOutside, isBlocked: true,
      "A request first reaches the outermost decorator, which is created last. In `blockOutside`, that should be the blocking one."
    ) {
      await $0.load("/articles", leadsTo: "/articles receives permanentlyBlocked")
    }
  }

  @Test("`loggerOutside` stops a request from a blocked account")
  func loggerOutsideStops() async {
    await story(
      .loggerOutside, isBlocked: true,
      "A request first reaches the outermost decorator, which is created last. In `loggerOutside`, that should be the logger."
    ) {
      await $0.load(
        "/articles", leadsTo: "/articles receives permanentlyBlocked",
        "the log shows GET /articles, permanentlyBlocked, 0.0 seconds")
    }
  }

  @Test("with `blockOutside`, an announced block puts the account on the block list")
  func blockOutsideNotices() async {
    await story(.blockOutside, "A result reaches the innermost decorator first. In `blockOutside`, that should be the logger.") {
      await $0.load("/articles", leadsTo: "the client receives GET /articles")
      await $0.request(
        "/articles", gets: .permanentBlock, leadsTo: "the account is on the block list", "/articles receives permanentlyBlocked",
        "the log shows GET /articles, 403, 0.0 seconds")
    }
  }

  @Test("with `loggerOutside`, an announced block puts the account on the block list")
  func loggerOutsideNotices() async {
    await story(
      .loggerOutside, "A result reaches the innermost decorator first. In `loggerOutside`, that should be the blocking one."
    ) {
      await $0.load("/articles", leadsTo: "the client receives GET /articles")
      await $0.request(
        "/articles", gets: .permanentBlock, leadsTo: "the account is on the block list", "/articles receives permanentlyBlocked",
        "the log shows GET /articles, permanentlyBlocked, 0.0 seconds")
    }
  }

  @Test("both stacks send and log requests from an unblocked account")
  func bothSendTheRest() async {
    await each("stack", in: [Subject.blockOutside, .loggerOutside]) { stack in
      await story(stack, "Each stack should have one logger, which measures the duration with `now`.") {
        await $0.load("/articles", leadsTo: "the client receives GET /articles")
        $0.pass(seconds: 3)
        await $0.request(
          "/articles", gets: .status(200), leadsTo: "/articles receives 200", "the log shows GET /articles, 200, 3.0 seconds")
      }
    }
  }

  @Test("you correctly predicted how many records each log gets")
  func predictsTheRecords() {
    let (block, logger) = Predictions.recordsOfABlockedRequest
    #expect(
      block == 0,
      "The prediction for `blockOutside` is not right yet. Follow the request inward: how far does it get?")
    #expect(
      logger == 1,
      "The prediction for `loggerOutside` is not right yet. Follow the request inward: which decorators does it reach?")
  }

  @Test("you correctly predicted which log shows a 403 that announces a block")
  func predictsTheStatus() {
    let (block, logger) = Predictions.logShowsThe403
    #expect(
      block == true,
      "The prediction for `blockOutside` is not right yet. Follow the response outward: which decorator sees it first?")
    #expect(
      logger == false,
      "The prediction for `loggerOutside` is not right yet. Follow the response outward: which decorator sees it first?")
  }
}
