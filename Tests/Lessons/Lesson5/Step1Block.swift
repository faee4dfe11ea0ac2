import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

@testable import Exercise5

@Suite("Step 1: block", .oneAtATime)
struct Step1Block {
  @Test("a request from a blocked account is not sent")
  func sendsNothing() async throws {
    let (client, results) = (HTTPClientSpy(responding: { _ in .status(200) }), Inbox<HTTPResult>())

    blocking(client, with: BlockListSpy(isBlocked: true)).load(.named("articles"), completion: results.receive)

    let result = try await results.only("For an account on the block list, deliver `permanentlyBlocked`. Nothing was delivered.")
    #expect(client.requests.isEmpty, "For an account on the block list, send nothing.")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "For an account on the block list, deliver `permanentlyBlocked`.")
  }

  @Test("a response that announces a block becomes an error")
  func blocksTheAccount() async throws {
    try await each("body", in: [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]) { body in
      let (list, results) = (BlockListSpy(), Inbox<HTTPResult>())

      blocking(ClosureClient { $1(.status(403, body)) }, with: list).load(.named("articles"), completion: results.receive)

      let result = try await results.only("The response announces a block. Deliver `permanentlyBlocked`.")
      #expect(list.isBlocked, "If `PermanentBlock.isAnnounced` is true for the response, add the account to the block list.")
      result.expectFailure(HTTPClientError.permanentlyBlocked, "Deliver `permanentlyBlocked` in place of the response.")
    }
  }

  @Test("the account is on the block list before `permanentlyBlocked` is delivered")
  func blocksBeforeItDelivers() async {
    let (client, list) = (HTTPClientSpy(responding: { _ in .permanentBlock }), BlockListSpy())
    let wasBlocked = Inbox<Bool>()

    blocking(client, with: list).load(.named("articles")) { _ in wasBlocked.receive(list.isBlocked) }
    await wasBlocked.receives(1)

    #expect(
      wasBlocked.values == [true], "Add the account to the list first: a completion may load the next request before it returns.")
  }

  @Test("the block list is checked for every request")
  func readsTheListEachTime() async {
    let (client, list, results) = (
      HTTPClientSpy(responding: { _ in .status(200) }), BlockListSpy(isBlocked: true), Inbox<HTTPResult>()
    )
    let sut = blocking(client, with: list)

    for (number, isBlocked) in [true, false, true].enumerated() {
      list.isBlocked = isBlocked
      sut.load(.named("articles"), completion: results.receive)
      await results.receives(number + 1)
    }

    #expect(
      results.values.map(\.inWords) == ["permanentlyBlocked", "200", "permanentlyBlocked"] && client.requests.count == 1,
      "The user or the block list can change between two requests. Read the list on every request.")
  }

  @Test("two of your decorators, one around the other, each have a list")
  func nests() async throws {
    try await each("list with the account", in: ["the outer one", "the inner one"]) { place in
      let (client, results) = (HTTPClientSpy(responding: { _ in .status(200) }), Inbox<HTTPResult>())
      let (outer, inner) = (BlockListSpy(isBlocked: place == "the outer one"), BlockListSpy(isBlocked: place == "the inner one"))
      let rule = "If the account is on the list of one of the two, send nothing, and deliver `permanentlyBlocked`."

      blocking(blocking(client, with: inner), with: outer).load(.named("articles"), completion: results.receive)

      let result = try await results.only("\(rule) Nothing was delivered.")
      #expect(client.requests.isEmpty, "\(rule)")
      result.expectFailure(HTTPClientError.permanentlyBlocked, rule)
      #expect(
        outer.isBlocked == (place == "the outer one"),
        "Another decorator has delivered `permanentlyBlocked`. That is an error, and no announcement: leave your list alone.")
    }
  }

  @Test("a block takes effect even if the app has released the decorator")
  func blocksAfterTheRelease() async throws {
    let (client, list, results) = (HTTPClientSpy(), BlockListSpy(), Inbox<HTTPResult>())

    // Nothing but the request in flight retains the decorator, and the list that it has.
    blocking(client, with: BlockListRelay(to: list)).load(.named("articles"), completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .permanentBlock)

    let remark = "The app has released the decorator, with a request in flight. Don't capture `self`, or the list, weakly."
    let result = try await results.only("The result was lost. \(remark)")
    #expect(list.isBlocked, "The response has announced a block, but the account is not on the list. \(remark)")
    result.expectFailure(HTTPClientError.permanentlyBlocked, "The response has announced a block.")
  }

  @Test("unchanged: a completion may load again, on any thread")
  func holdsNoLock() async {
    await each(
      "is blocked, and first result", in: [(true, HTTPResult.status(200)), (false, .status(200)), (false, .permanentBlock)]
    ) {
      isBlocked, first in
      let results = Inbox<HTTPResult>()
      let client = ClosureClient { $1($0.url?.path == "/first" ? first : .status(200)) }
      let sut = blocking(client, with: BlockListSpy(isBlocked: isBlocked))

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in
          sut.load(.named("second"), completion: results.receive)
          onAnotherThread(for: 10) { sut.load(.named("third"), completion: results.receive) }
        }
      }

      #expect(hasReturned, "A completion has loaded two other requests, and they wait for it. Hold no lock while you call it.")
      await results.receives(2)
      #expect(results.values.count == 2, "A completion has loaded two other requests. Each of them has a result, too.")
    }
  }

  @Test("unchanged: errors, and responses that announce no block, are delivered")
  func deliversTheRest() async {
    let announcement = #"{"error": "permanently_blocked"}"#
    let bodies = ["", #"{"error": "not_your_article"}"#, "permanently_blocked?"]
    let results =
      bodies.map { HTTPResult.status(403, $0) } + [200, 401, 500].map { .status($0, announcement) }
      + SampleError.allCases.map { .failure($0.error) }
    let list = BlockListSpy()
    for result in results {
      await expectUnchangedResult(
        result, from: .blocking, with: list,
        "Deliver every error, and every response for which `PermanentBlock.isAnnounced` is false.")
    }
    #expect(!list.isBlocked, "Nothing has announced a permanent block, so the list should not change.")
  }

  @Test("unchanged: a request from an unblocked account is forwarded")
  func forwardsTheRequest() async throws {
    try await expectUnchangedRequest(from: .blocking)
  }

  @Test("unchanged: when a request has ended, nothing of it is kept")
  func keepsNothing() async {
    await expectNothingKept(by: .blocking)
  }

  @Test("hundreds of requests obey these rules, whatever they get")
  func weathersAStorm() async {
    await expectEachRequestIsRight(through: .blocking)
  }
}

/// Checks that a decorator keeps nothing of requests that have ended.
func expectNothingKept(by subject: Subject) async {
  let client = HTTPClientSpy()
  let sut = subject.make(client, BlockListSpy(), Inbox<HTTPLogRecord>(), { ContinuousClock.now })

  await expectReleased("A request has ended, and its completion is still retained. What do you store of a request?") { leaks in
    for (index, result) in [HTTPResult.status(200), .failure(SampleError.offline.error), .permanentBlock].enumerated() {
      let lifetime = leaks.lifetime(of: "the completion")
      sut.load(.named("articles")) { _ in withExtendedLifetime(lifetime) {} }
      await client.calls.receives(index + 1)
      client.calls.complete(index, with: result)
    }
  }
  withExtendedLifetime(sut) {}
}

/// Checks that a result is delivered unchanged.
func expectUnchangedResult(
  _ result: HTTPResult, from subject: Subject, with list: BlockListSpy = BlockListSpy(), _ rule: String
) async {
  for hasURL in [true, false] {
    let (results, log) = (Inbox<HTTPResult>(), Inbox<HTTPLogRecord>())
    var request = URLRequest.named("articles")
    if !hasURL { request.url = nil }

    subject.make(ClosureClient { $1(result) }, list, log, { ContinuousClock.now }).load(request, completion: results.receive)
    await results.receives(1)
    if subject.logs { await log.receives(1) }

    let (delivered, remark) = (results.values, hasURL ? "" : " This request has no URL.")
    #expect(delivered.map(\.inWordsWithBody) == [result.inWordsWithBody], "\(rule)\(remark)")
    if subject.logs { #expect(log.values.count == 1, "Add one record for each result.\(remark)") }
    if let error = result.failure, let other = delivered.first?.failure { #expect(other.isSame(as: error), "\(rule)") }
  }
}

/// Checks that a request is forwarded unchanged, with no header field of its own.
func expectUnchangedRequest(from subject: Subject) async throws {
  let client = HTTPClientSpy()

  subject.make(client, BlockListSpy(), Inbox<HTTPLogRecord>(), { ContinuousClock.now }).load(.elaborate) { _ in }
  await client.calls.receives(1)

  let sent = try #require(client.requests.first, "The request was not sent. Forward it to the client that you wrap.")
  expectUnchanged(sent, from: .elaborate)
  #expect(sent.allHTTPHeaderFields == URLRequest.elaborate.allHTTPHeaderFields, "Add no header to the request, and remove none.")
}
