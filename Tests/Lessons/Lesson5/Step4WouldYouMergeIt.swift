import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise5

@Suite("Step 4: would you merge it?", .oneAtATime)
struct Step4WouldYouMergeIt {
  @Test("what happens with pull request 1 agrees with your verdict")
  func judges1() async {
    let (client, log, clock) = (HTTPClientSpy(), Inbox<HTTPLogRecord>(), ManualClock())

    PullRequest.number1(client, log: log, now: { clock.now }).load(.named("articles")) { _ in clock.advance(by: 30) }
    await client.calls.receives(1)
    clock.advance(by: 1)
    client.calls.complete(with: .status(200))
    await log.receives(1)

    let logged = log.values.map { "\($0.duration)" }.joined()
    expectVerdict(
      on: 1, because: logged == "1.0 seconds" ? [] : [.durationOfTheRequest],
      "A response arrives after one second. The completion takes 30 seconds. The log shows \(logged).")
  }

  @Test("what happens with pull request 2 agrees with your verdict")
  func judges2() async {
    await expectEachRequestIsRight(
      through: Subject("pull request 2", blocks: true) { client, list, _, _ in PullRequest.number2(client, blockList: list) })
    expectVerdict(on: 2)
  }

  @Test("what happens with pull request 3 agrees with your verdict")
  func judges3() async {
    await expectEachRequestIsRight(
      through: Subject("pull request 3", logs: true) { client, _, log, now in PullRequest.number3(client, log: log, now: now) })
    expectVerdict(on: 3)
  }

  @Test("what happens with pull request 4 agrees with your verdict")
  func judges4() async {
    let (client, list, results) = (HTTPClientSpy(), BlockListSpy(), Inbox<HTTPResult>())

    PullRequest.number4(client, blockList: BlockListRelay(to: list)).load(.named("articles"), completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .permanentBlock)
    await results.receives(1)

    let place = list.isBlocked ? "on the list" : "not on the list"
    expectVerdict(
      on: 4, because: list.isBlocked ? [] : [.lifetime, .listBeforeDelivery],
      """
      The app releases everything, with a request in flight. Its response announces a block. `permanentlyBlocked` is delivered, and \
      the account is \(place).
      """)
  }

  /// Compares a verdict with what has happened.
  ///
  /// - Parameters:
  ///   - number: The number of the pull request.
  ///   - rules: The rules that it breaks: one mistake may break two of them.
  ///   - event: What has happened, in words.
  private func expectVerdict(
    on number: Int, because rules: [Rule] = [], _ event: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let message: String
    switch Verdicts.all[number] {
    case .none, .some(.none):
      message = "There is no verdict on pull request \(number) yet. Read its diff on the page: would you merge it?"
    case .merge?:
      if rules.isEmpty { return }
      message = "You have merged pull request \(number). This is what happens with it: \(event)"
    case .sendBack(let rule)?:
      if rules.contains(rule) { return }
      message =
        rules.isEmpty
        ? """
        You have sent back pull request \(number) for `\(rule)`. Nothing goes wrong with it, in hundreds of requests either. Which event \
        would break that rule?
        """
        : "You have sent back pull request \(number) for `\(rule)`. It breaks another rule. This is what happens with it: \(event)"
    }
    Issue.record("\(message)", sourceLocation: sourceLocation)
  }
}
