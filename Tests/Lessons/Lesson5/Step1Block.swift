import Given
import TestSupport
import Testing

@Suite("Step 1: block", .patientOnce)
struct Step1Block {
  @Test("a blocked account's request fails, and goes nowhere", arguments: [URLRequest.named("articles"), .elaborate])
  func staysHome(request: URLRequest) async throws {
    let scene = Scene(isBlocked: true)

    try await scene.load(request, with: scene.makeBlocking(), answering: nil).expectFailure(
      HTTPClientError.permanentlyBlocked, "The account is on the list: deliver `HTTPClientError.permanentlyBlocked`.")

    #expect(scene.client.requests.isEmpty, "The account is on the list: the decoratee must not be asked.")
  }

  @Test("the list is asked at each request")
  func asksEachTime() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()

    _ = try await scene.load(with: sut).expectSuccess("The account is not on the list.")
    scene.blockList.isCurrentAccountBlocked = true
    try await scene.load(with: sut, answering: nil).expectFailure(
      HTTPClientError.permanentlyBlocked, "The account has been put on the list since the last request: ask each time.")
    scene.blockList.isCurrentAccountBlocked = false
    _ = try await scene.load(with: sut).expectSuccess("Another account is signed in, and not on the list: ask each time.")
  }

  @Test(
    "an answer that blocks the account puts it on the list and comes back as the error",
    arguments: [
      #"{"error": "permanently_blocked"}"#, #"{"since":2026,"error":"permanently_blocked"}"#,
      #"{ "error" : "permanently\u005fblocked" }"#,
    ])
  func remembersBlock(body: String) async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeBlocking(), answering: .status(403, body)).expectFailure(
      HTTPClientError.permanentlyBlocked,
      "The back end said that the account is blocked for good: deliver `HTTPClientError.permanentlyBlocked`.")

    #expect(scene.blockList.blocks == 1, "The back end said that the account is blocked for good: put it on the list, once.")
  }

  @Test("the list knows, and nobody else: when another account signs in, requests go out again")
  func remembersInTheListOnly() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()

    try await scene.load(with: sut, answering: .permanentBlock).expectFailure(
      HTTPClientError.permanentlyBlocked, "The back end said that the account is blocked for good.")
    scene.blockList.isCurrentAccountBlocked = false

    _ = try await scene.load(with: sut).expectSuccess(
      "Another account is signed in, and not on the list: ask the list, each time.")
  }

  @Test("two answers that block the account both come back as the error")
  func deliversBothBlocks() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())

    sut.load(.named("first"), completion: first.receive)
    await scene.client.calls.receives(1)
    sut.load(.named("second"), completion: second.receive)
    await scene.client.calls.receives(2)
    for index in 0...1 { scene.client.calls.complete(index, with: .permanentBlock) }

    for answers in [first, second] {
      try await answers.only("The completion was never called.").expectFailure(
        HTTPClientError.permanentlyBlocked, "Both answers say that the account is blocked: both callers want to hear it.")
    }
  }

  @Test("unchanged: a caller that asks again in its completion is served, if the answers come at once")
  func servesCallersThatComeBack() async {
    let scene = Scene()
    let sut = scene.makeBlocking(around: ClosureClient { _, completion in completion(.status(200)) })
    let answers = Inbox<HTTPResult>()

    await finished(on: .global()) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: answers.receive) }
    }

    let wasAnswered = await answers.receives(1)
    #expect(wasAnswered, "The second request was not answered: does the first still hold what the second needs?")
  }

  @Test("a caller that tries again in its completion stays home already")
  func remembersBeforeDelivering() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let second = Inbox<HTTPResult>()

    sut.load(.named("first")) { _ in sut.load(.named("second"), completion: second.receive) }
    await scene.client.calls.receives(1)
    scene.client.calls.complete(with: .permanentBlock)

    let wasAnswered = await second.receives(1)
    #expect(wasAnswered, "The second request was not answered: by then the account has to be on the list.")
    #expect(
      scene.client.requests.count == 1,
      "Put the account on the list before you deliver the error: the caller may ask again at once.")
  }

  @Test("a request that was under way when another blocked the account keeps its own answer")
  func keepsAnswersUnderWay() async throws {
    let scene = Scene()
    let sut = scene.makeBlocking()
    let (first, second) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())

    sut.load(.named("first"), completion: first.receive)
    sut.load(.named("second"), completion: second.receive)
    await scene.client.calls.receives(2)
    scene.client.calls.complete(0, with: .permanentBlock)
    await first.receives(1)
    #expect(scene.blockList.blocks == 1, "The first answer blocks the account: put it on the list.")
    scene.client.calls.complete(1, with: .status(200, "in time"))

    let answer = try await second.only("The second request was never answered.")
    #expect(answer.text == "200 in time", "This answer does not say anything about a block: it belongs to its caller.")
  }

  @Test("it works around a decorator that it has never seen, and inside of one")
  func composes() async throws {
    let scene = Scene()
    let sut = ShoutingDecorator(
      decoratee: scene.makeBlocking(around: ShoutingDecorator(decoratee: scene.client)))

    let answer = try await scene.load(with: sut, answering: .status(200, "answer"))
    #expect(answer.text == "200 answer!!", "The answer has to come back through both neighbours.")

    scene.blockList.isCurrentAccountBlocked = true
    try await scene.load(with: sut, answering: nil).expectFailure(
      HTTPClientError.permanentlyBlocked, "The account is on the list now: the neighbours change nothing about that.")
  }

  @Test(
    "unchanged: any other refusal, and the list with it",
    arguments: [
      (403, ""), (403, #"{"error": "not_your_article"}"#), (403, "permanently_blocked?"),
      (401, #"{"error": "permanently_blocked"}"#), (200, #"{"error": "permanently_blocked"}"#), (500, ""),
    ])
  func deliversOrdinaryRefusals(status: Int, body: String) async throws {
    let scene = Scene()

    let answer = try await scene.load(with: scene.makeBlocking(), answering: .status(status, body))

    #expect(
      answer.text == "\(status) \(body)",
      "This answer does not say that the account is blocked for good (`PermanentBlock.isAnnounced` knows): deliver it.")
    #expect(scene.blockList.blocks == 0, "Only an answer that says so may block the account for good.")
  }

  @Test("unchanged: the request")
  func forwardsTheRequest() async throws {
    let scene = Scene()

    _ = try await scene.load(.elaborate, with: scene.makeBlocking())

    let sent = try #require(scene.client.requests.first, "The request has to be forwarded to the decoratee.")
    expectUnchanged(sent, from: .elaborate)
    #expect(scene.client.requests.count == 1, "One call is one request to the decoratee.")
  }

  @Test("unchanged: the answer")
  func deliversTheAnswer() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load(with: scene.makeBlocking(), answering: .status(201, "body"))
      .expectSuccess("The decoratee answered with 201.")

    #expect(response.statusCode == 201, "The status has to come back as the decoratee delivered it.")
    #expect(response.value(forHTTPHeaderField: "ETag") == "42", "The response has to come back with its headers.")
    #expect(data == Data("body".utf8), "The body has to come back as the decoratee delivered it.")
  }

  @Test("unchanged: the error, and the list with it")
  func deliversTheError() async throws {
    let scene = Scene()

    try await scene.load(with: scene.makeBlocking(), answering: .failure(URLError(.timedOut))).expectFailure(
      URLError(.timedOut), "The error has to come back as the decoratee delivered it.")

    #expect(scene.blockList.blocks == 0, "A network that fails says nothing about the account.")
  }

  @Test("unchanged: the answer arrives even if nobody keeps the decorator")
  func keepsWhatItNeeds() async throws {
    let scene = Scene()
    let answers = Inbox<HTTPResult>()

    scene.makeBlocking().load(.named("articles"), completion: answers.receive)
    await scene.client.calls.receives(1)
    scene.client.calls.complete(with: .status(200, "answer"))

    let answer = try await answers.only("The completion was never called: a weak self loses the answer.")
    #expect(answer.text == "200 answer", "The caller wants the answer to its request.")
  }
}
