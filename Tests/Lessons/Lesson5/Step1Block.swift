import Given
import TestSupport
import Testing

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Block().sendsNothing() } }
}

@Suite("Step 1: block", .oneAtATime)
struct Step1Block {
  @Test("a blocked account's request is not sent")
  func sendsNothing() async throws {
    try await each("request", in: [URLRequest.named("articles"), .elaborate]) { request in
      let scene = Scene(isBlocked: true)

      try await scene.load(request, with: scene.makeBlocking(), completing: nil).expectFailure(
        HTTPClientError.permanentlyBlocked,
        "A blocked account should receive `HTTPClientError.permanentlyBlocked`. Read the list before you forward the request.")

      #expect(
        scene.client.requests.isEmpty,
        "A blocked account's request should not be forwarded. Return after you have delivered the error.")
    }
  }

  @Test("the list is read on every request")
  func readsTheListEachTime() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()

    _ = try await scene.load(with: sut).expectSuccess(
      "The account is not on the list, so the response should be delivered. Pass the result on.")
    scene.blockList.isBlocked = true
    try await scene.load(with: sut, completing: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account was added to the list after the first request, so the second one should fail. Read the list in `load`.")
    scene.blockList.isBlocked = false
    _ = try await scene.load(with: sut).expectSuccess(
      "The current account is no longer on the list, so its request should be sent. Read the list in `load`.")
  }

  @Test("a response that blocks the account becomes an error")
  func blocksTheAccount() async throws {
    try await each(
      "body",
      in: [
        #"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#,
        #"{ "error" : "permanently\u005fblocked" }"#,
      ]
    ) { body in
      let scene = Scene()

      try await scene.load(with: scene.makeBlocking(), completing: .status(403, body)).expectFailure(
        HTTPClientError.permanentlyBlocked,
        "This response announces a permanent block, so deliver the error. Check each response with `PermanentBlock.isAnnounced`.")

      #expect(
        scene.blockList.isBlocked,
        "This response announces a permanent block, so the account should be on the list. Call `blockCurrentAccount`.")
    }
  }

  @Test("another account can send requests after a block")
  func storesTheBlockInTheListOnly() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()

    try await scene.load(with: sut, completing: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "This response announces a permanent block, so deliver the error. Check each response with `PermanentBlock.isAnnounced`.")
    scene.blockList.isBlocked = false

    _ = try await scene.load(with: sut).expectSuccess(
      "The new account is not on the list, so its request should be sent. Do not store the block in the decorator.")
  }

  @Test("each account that a response blocks is added to the list")
  func blocksTheNextAccount() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()

    _ = try await scene.load(with: sut, completing: .permanentBlock)
    scene.blockList.isBlocked = false
    try await scene.load(with: sut, completing: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The second response also announces a permanent block, so deliver the error again. Judge each response on its own.")

    #expect(
      scene.blockList.isBlocked,
      "The second account was blocked, so it should also be on the list. Call `blockCurrentAccount` for each such response.")
  }

  @Test("two responses that block the account both become errors")
  func deliversBothBlocks() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())

    sut.load(.named("first"), completion: first.receive)
    await scene.client.calls.receives(1)
    sut.load(.named("second"), completion: second.receive)
    await scene.client.calls.receives(2)
    for index in 0...1 { scene.client.calls.complete(index, with: .permanentBlock) }

    for results in [first, second] {
      try await results.only("The completion was never called. Check every path through `load`.").expectFailure(
        HTTPClientError.permanentlyBlocked,
        "Both responses announce a permanent block, so both callers should receive the error. Judge each response on its own.")
    }
  }

  @Test("the account is on the list before the error is delivered")
  func blocksBeforeItDelivers() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let second = Inbox<HTTPResult>()

    sut.load(.named("first")) { _ in sut.load(.named("second"), completion: second.receive) }
    await scene.client.calls.receives(1)
    await finished(
      on: .background,
      "The decoratee called its completion, which never returned. The caller's completion called `load` again: hold no lock while you call it."
    ) { scene.client.calls.complete(with: .permanentBlock) }

    let hasCompleted = await second.receives(1)
    #expect(
      hasCompleted,
      "The first request's completion sent a second request, which never completed. Add the account to the list, then deliver.")
    #expect(
      scene.client.requests.count == 1,
      "The second request should not be forwarded. Add the account to the list before you deliver the error.")
  }

  @Test("a request in flight keeps its own result after a block")
  func deliversResultsInFlight() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())

    sut.load(.named("first"), completion: first.receive)
    await scene.client.calls.receives(1)
    sut.load(.named("second"), completion: second.receive)
    await scene.client.calls.receives(2)
    scene.client.calls.complete(0, with: .permanentBlock)
    await first.receives(1)
    #expect(scene.blockList.isBlocked, "The first response should add the account to the list.")
    scene.client.calls.complete(1, with: .status(200, "in time"))

    let result = try await second.only("The second request never completed. Check every path through `load`.")
    #expect(
      result.text == "200 in time",
      "The second request was sent before the block, so deliver its response. Read the list once, before you forward a request.")
  }

  @Test("a response still blocks the account after the decorator is released")
  func blocksAfterTheRelease() async throws {
    let scene = Scene()
    let results = Inbox<HTTPResult>()

    scene.makeBlocking().load(.named("articles"), completion: results.receive)
    await scene.client.calls.receives(1)
    scene.client.calls.complete(with: .permanentBlock)

    try await results.only("The completion was never called. Do not make it depend on a weakly captured `self`.")
      .expectFailure(
        HTTPClientError.permanentlyBlocked,
        "Even after the decorator is released, deliver the error for this response. Do not depend on a weakly captured `self`.")
    #expect(
      scene.blockList.isBlocked,
      "The account should be on the list, even after the decorator is released. Let the closure retain the list.")
  }

  @Test("a blocked request's completion may send the next request")
  func blocksFromACompletion() async {
    let scene = Scene(isBlocked: true)
    let sut = scene.makeBlocking()
    let results = Inbox<HTTPResult>()

    await finished(on: .background) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: results.receive) }
    }

    let hasCompleted = await results.receives(1)
    #expect(hasCompleted, "The second request never completed. Hold no lock while you call the completion.")
    #expect(
      scene.client.requests.isEmpty,
      "A blocked account's request should not be forwarded. Return after you have delivered the error.")
  }

  @Test("the decorator works both outside and inside an unknown decorator")
  func composes() async throws {
    let scene = Scene()
    let sut = ShoutingDecorator(
      decoratee: scene.makeBlocking(around: ShoutingDecorator(decoratee: scene.client)))

    let result = try await scene.load(with: sut, completing: .status(200, "body"))
    #expect(
      result.text == "200 body!!",
      "The response should pass through both of the other decorators. Forward to the decoratee, and pass on its result.")

    scene.blockList.isBlocked = true
    try await scene.load(with: sut, completing: nil).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The account is on the list, so the request should fail, even with other decorators around and inside yours.")
  }

  @Test("unchanged: a response that announces no permanent block is delivered")
  func deliversOrdinaryRefusals() async throws {
    try await each(
      "status and body",
      in: [
        (403, ""), (403, #"{"error": "not_your_article"}"#), (403, "permanently_blocked?"),
        (401, #"{"error": "permanently_blocked"}"#), (200, #"{"error": "permanently_blocked"}"#), (500, ""),
      ]
    ) { status, body in
      let scene = Scene()

      let result = try await scene.load(with: scene.makeBlocking(), completing: .status(status, body))

      #expect(
        result.text == "\(status) \(body)",
        "This response does not announce a permanent block, so deliver it. Check each response with `PermanentBlock.isAnnounced`."
      )
      #expect(scene.blockList.blocks == 0, "This response does not announce a permanent block, so the list should not change.")
    }
  }

  @Test("unchanged: the request is forwarded")
  func forwardsTheRequest() async throws {
    let scene = Scene()

    _ = try await scene.load(.elaborate, with: scene.makeBlocking())

    let sent = try #require(scene.client.requests.first, "The request should be forwarded. Call the decoratee in `load`.")
    expectUnchanged(sent, from: .elaborate)
    #expect(scene.client.requests.count == 1, "One call should forward one request. Call the decoratee once.")
  }

  @Test("unchanged: the response is delivered")
  func deliversTheResponse() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load(with: scene.makeBlocking(), completing: .status(201, "body"))
      .expectSuccess("The decoratee's response should be delivered. Pass the result on.")

    #expect(response.statusCode == 201, "The status should be the decoratee's. Deliver the response unchanged.")
    #expect(
      response.value(forHTTPHeaderField: "ETag") == "42", "The headers should be the decoratee's. Deliver the response unchanged."
    )
    #expect(data == Data("body".utf8), "The body should be the decoratee's. Deliver the data unchanged.")
  }

  @Test("unchanged: the error is delivered")
  func deliversTheError() async throws {
    try await each("error", in: Trouble.allCases) { trouble in
      let scene = Scene()

      try await scene.load(with: scene.makeBlocking(), completing: .failure(trouble.error)).expectSameError(as: trouble.error)

      #expect(scene.blockList.blocks == 0, "An error does not announce a permanent block, so the list should not change.")
    }
  }

  @Test("unchanged: a result is delivered after the decorator is released")
  func deliversAfterTheRelease() async throws {
    try await each("result", in: [HTTPResult.status(200), .failure(URLError(.timedOut))]) { result in
      let scene = Scene()
      let results = Inbox<HTTPResult>()

      scene.makeBlocking().load(.named("articles"), completion: results.receive)
      await scene.client.calls.receives(1)
      scene.client.calls.complete(with: result)

      let delivered = try await results.only(
        "The completion was never called. Do not make it depend on a weakly captured `self`.")
      #expect(delivered.text == result.text, "The result should be the decoratee's, even after the decorator is released.")
    }
  }

  @Test("unchanged: a completion can send the next request")
  func sendsFromACompletion() async {
    let sut = Scene().makeBlocking(around: makeImmediateClient())
    let results = Inbox<HTTPResult>()

    await finished(on: .background) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: results.receive) }
    }

    let hasCompleted = await results.receives(1)
    #expect(hasCompleted, "The second request never completed. Hold no lock while you call the decoratee or the completion.")
  }

  @Test("unchanged: the decoratee is released together with the decorator")
  func releasesItsDecoratee() async {
    await expectReleased(
      "The decoratee is still retained after the last result. Look for a stored closure that captures `self` strongly."
    ) { leaks in
      Scene().makeBlocking(around: makeImmediateClient(retaining: leaks.track(Token()))).load(.named("articles")) { _ in }
    }
  }
}
