import Given
import TestSupport
import Testing

import class TestSupport.BlockListSpy
import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise5

@Suite("Step 1: block", .oneAtATime)
struct Step1Block {
  @Test("a request from a blocked account is not sent")
  func sendsNothing() async {
    let client = HTTPClientSpy(responding: { _ in .status(200) })
    let results = Inbox<HTTPResult>()

    blocking(client, with: BlockListSpy(isBlocked: true)).load(.named("articles"), completion: results.receive)

    await results.receives(1)
    #expect(client.requests.isEmpty, "For an account on the block list, send nothing.")
    #expect(throws: HTTPClientError.permanentlyBlocked, "For an account on the block list, deliver `permanentlyBlocked`.") {
      try results.values.first?.get()
    }
  }

  @Test("a response that announces a block becomes an error")
  func blocksTheAccount() async {
    await each("body", in: [#"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#]) { body in
      await story(
        World(.blocking),
        "If `PermanentBlock.isAnnounced` is true for the response, add the account to the block list, and deliver `permanentlyBlocked`."
      ) {
        await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
        await $0.end(
          with: .status(403, body),
          leadsToAllOf: ["the account is on the block list", "/articles receives permanentlyBlocked"])
      }
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
    await story(
      World(.blocking, isBlocked: true),
      "The user or the block list can change between two requests. Read the list on every request."
    ) {
      await $0.signIn()
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.end(with: .status(200), leadsToAllOf: ["/articles receives 200"])
      await $0.setBlocked(true)
      await $0.load("/comments", leadsToAllOf: ["/comments receives permanentlyBlocked"])
    }
  }

  @Test("a block takes effect even if the app has released the decorator")
  func blocksAfterTheRelease() async {
    await story(
      World(.blocking),
      "Handle the response, even if nothing but the request in flight retains the decorator. Don't capture `self`, or the list, weakly."
    ) {
      await $0.load("/articles", leadsToAllOf: ["the client receives GET /articles"])
      await $0.releaseStack()
      await $0.end(
        with: .permanentBlock,
        leadsToAllOf: ["the account is on the block list", "/articles receives permanentlyBlocked"])
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
      await expectUnchanged(
        result, from: .blocking, with: list,
        "Deliver every error, and every response for which `PermanentBlock.isAnnounced` is false.")
    }
    #expect(!list.isBlocked, "Nothing has announced a permanent block, so the list should not change.")
  }

  @Test("unchanged: a request from an unblocked account is forwarded")
  func forwardsTheRequest() async throws {
    try await expectUnchangedRequest(from: .blocking)
  }
}

/// Checks that a result is delivered unchanged.
func expectUnchanged(
  _ result: HTTPResult, from subject: Subject, with list: BlockListSpy = BlockListSpy(), _ rule: String
) async {
  for hasURL in [true, false] {
    let (results, log) = (Inbox<HTTPResult>(), Inbox<HTTPLogRecord>())
    var request = URLRequest.named("articles")
    if !hasURL { request.url = nil }

    subject(around: ClosureClient { $1(result) }, list, log, { ManualClock().now }).load(request, completion: results.receive)
    await results.receives(1)
    if subject.logs { await log.receives(1) }

    let (delivered, remark) = (results.values, hasURL ? "" : " This request has no URL.")
    #expect(delivered.map(\.inWordsWithBody) == [result.inWordsWithBody], "\(rule)\(remark)")
    #expect(log.values.count == (subject.logs ? 1 : 0), "Add one record for each result.\(remark)")
    if let error = result.failure, let other = delivered.first?.failure { #expect(other.isSame(as: error), "\(rule)") }
  }
}

/// Checks that a request is forwarded unchanged, with no header field of its own.
func expectUnchangedRequest(from subject: Subject) async throws {
  let client = HTTPClientSpy()

  subject(around: client, BlockListSpy(), Inbox<HTTPLogRecord>(), { ManualClock().now }).load(.elaborate) { _ in }
  await client.calls.receives(1)

  let sent = try #require(client.requests.first, "The request was not sent. Forward it to the client that you wrap.")
  TestSupport.expectUnchanged(sent, from: .elaborate)
  #expect(sent.allHTTPHeaderFields == URLRequest.elaborate.allHTTPHeaderFields, "Add no header to the request, and remove none.")
}
