import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 4: many requests, one refresh", .patientOnce)
struct Step4OneRefreshForMany {
  @Test("requests that come while a refresh is under way wait for it, and are sent once each, in their order")
  func shareTheRefresh() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c", "d", "e")
    await scene.refreshes(1)
    #expect(scene.refreshTokens.count == 1, "A refresh is under way: those who come later wait for it, and start none.")
    #expect(scene.sent.isEmpty, "Nobody is sent before the refresher has answered.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(5)
    #expect(
      scene.sent == ["a new-token", "b new-token", "c new-token", "d new-token", "e new-token"],
      "All who waited are sent with the new token, once each, in the order in which they came.")
    #expect(
      scene.refresher.calls.count == 1, "Five requests came with the same expired credentials: one refresh serves them all.")
    #expect(scene.store.writes == [.renewed], "One refresh stores its credentials once.")
  }

  @Test("each of them gets its own answer")
  func keepAnswersApart() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    try #require(scene.sent.count == 3, "All three requests that waited have to be sent.")
    scene.client.calls.complete(2, with: .status(200, "for c"))
    scene.client.calls.complete(0, with: .failure(URLError(.timedOut)))
    scene.client.calls.complete(1, with: .status(404, "for b"))

    #expect(try await scene.answer(to: "c").text == "200 for c", "Each completion wants the answer to its own request.")
    #expect(try await scene.answer(to: "b").text == "404 for b", "Each completion wants the answer to its own request.")
    try await scene.expectFailure(URLError(.timedOut), of: "a", "Each completion wants the answer to its own request.")
  }

  @Test("requests that wait for a refresh all fail with it")
  func failTogether() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b", "c")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(URLError(.notConnectedToInternet)))

    for name in ["a", "b", "c"] {
      try await scene.expectFailure(HTTPClientError.sessionExpired, of: name, "All who waited for the refresh fail with it.")
    }
    #expect(scene.refresher.calls.count == 1, "Three requests wait for one refresh. It failed, and that is their answer.")
    #expect(scene.sent.isEmpty, "Without new credentials nobody is sent.")
  }

  @Test(
    "the next expiry refreshes again, whether or not the first refresh has brought a new refresh token",
    arguments: ["refresh-2", "refresh-1"])
  func refreshesAgain(nextRefreshToken: String) async throws {
    let scene = Scene(credentials: .expired)
    var renewed = Credentials.renewed
    renewed.refreshToken = nextRefreshToken

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(renewed))
    await scene.sends(2)
    scene.clock.advance(by: 7200)
    scene.load("c", "d")
    await scene.refreshes(2)
    #expect(
      scene.refreshTokens == ["refresh-1", nextRefreshToken],
      "The renewed credentials have expired too: one more refresh, with the refresh token that is stored by then.")

    let newest = Credentials(
      accessToken: "newest-token", refreshToken: "refresh-3", expiresAt: scene.clock.date.addingTimeInterval(900))
    scene.refresher.calls.complete(1, with: .success(newest))
    await scene.sends(4)
    #expect(
      scene.sent == ["a new-token", "b new-token", "c newest-token", "d newest-token"],
      "Only those who waited for the second refresh are sent by it.")
  }

  @Test("a request that comes while the waiting ones are sent is not forgotten")
  func takesLatecomers() async throws {
    let store = CredentialsStoreSpy(.expired)
    let refresher = CredentialsRefresherSpy()
    let client = ImmediateClient()
    let answered = Inbox<String>()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.named("a")) { _ in
      answered.receive("a")
      sut.load(.named("late")) { _ in answered.receive("late") }
    }
    sut.load(.named("b")) { _ in answered.receive("b") }
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))

    await answered.receives(3)
    #expect(
      answered.values.sorted() == ["a", "b", "late"],
      "The first answer sets off another request. It finds fresh credentials, and must not get lost between two refreshes.")
    #expect(refresher.calls.count == 1, "The late request finds fresh credentials in the store.")
  }

  @Test("fifty requests from many threads at once share one refresh")
  func areSafeFromManyThreads() async {
    let scene = Scene(credentials: .expired)
    let meeting = Meeting()
    let allHaveCome = await hasFinished {
      DispatchQueue.concurrentPerform(iterations: 50) { number in
        meeting.come()
        scene.load("request-\(number)")
      }
    }
    #expect(allHaveCome, "`load` has to return at once: some of the threads are stuck in it.")
    await scene.refreshes(1)
    #expect(scene.refreshTokens.count == 1, "Fifty requests came at once: only the first of them starts a refresh.")

    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(50)
    #expect(scene.sent.count == 50, "All fifty requests are sent, once each.")
    #expect(Set(scene.sent).count == 50, "Each of the fifty requests has to be sent, none of them twice.")
    #expect(scene.refresher.calls.count == 1, "Fifty requests came at once: one refresh serves them all.")
    #expect(scene.client.requests.allSatisfy { $0.token == "new-token" }, "All fifty requests carry the new token.")
  }

  @Test("two requests that look at the same moment whether they have to refresh start one refresh")
  func leavesNoGap() async {
    let (refresher, client, meeting) = (CredentialsRefresherSpy(), HTTPClientSpy(), Meeting())
    // Whoever asks for the time first is held until the other one asks as well, or clearly will not.
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.expired), refresher: refresher,
      now: {
        meeting.come()
        return ManualClock().date
      })

    let bothHaveCome = await hasFinished {
      DispatchQueue.concurrentPerform(iterations: 2) { number in sut.load(.named("\(number)")) { _ in } }
    }
    #expect(bothHaveCome, "`load` has to return at once: some of the threads are stuck in it.")
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)

    #expect(
      refresher.calls.count == 1,
      "Both requests found the credentials expired before either had begun a refresh: to look and to begin has to be one step.")
    #expect(client.requests.count == 2, "Both requests are sent, once each.")
  }

  @Test("equal requests are requests of their own")
  func keepsEqualRequestsApart() async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.named("articles"), as: "one")
    scene.load(.named("articles"), as: "two")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)
    try #require(scene.sent.count == 2, "Two calls of `load` send two requests, if they are the same as well.")
    for index in 0...1 { scene.client.calls.complete(index, with: .status(200, "\(index)")) }

    let answers = [try await scene.answer(to: "one").text, try await scene.answer(to: "two").text]
    #expect(answers == ["200 0", "200 1"], "Each of the two wants its own answer.")
  }

  @Test("a refresh serves those who wait for it, whatever the clock says of what it brings")
  func trustsTheRefresh() async {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.clock.advance(by: 900)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(2)

    #expect(
      scene.sent == ["a new-token", "b new-token"],
      "The refresh took a quarter of an hour. Send with what it has brought: the server has the last word.")
    #expect(scene.refresher.calls.count == 1, "A clock that is wrong must not lead to one refresh after the other.")
  }

  @Test("after a sign-out the next user is served, and nobody is answered twice")
  func servesTheNextUser() async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a")
    await scene.refreshes(1)
    scene.store.credentials = nil
    scene.refresher.calls.complete(with: .success(.renewed))
    _ = try await scene.answer(to: "a")
    scene.store.credentials = Credentials(
      accessToken: "next-user", refreshToken: "next-user-refresh", expiresAt: scene.clock.date)
    scene.load("b")
    await scene.refreshes(2)
    #expect(
      scene.refreshTokens == ["refresh-1", "next-user-refresh"],
      "The first refresh is over, though its user had signed out: the next user's credentials are refreshed as any others.")

    scene.refresher.calls.complete(1, with: .success(.renewed))
    await scene.sends(1)
    #expect(scene.sent == ["b new-token"], "Only the next user's request is sent.")
    _ = try await scene.answer(to: "a")
  }

  @Test("unchanged: a caller that asks again in its completion is served", arguments: [nil, Credentials.valid, .expired])
  func servesCallersThatComeBack(credentials: Credentials?) async {
    let answers = Inbox<HTTPResult>()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: ImmediateClient(), store: CredentialsStoreSpy(credentials), refresher: ImmediateRefresher(),
      now: { ManualClock().date })

    await finished(on: .global()) {
      sut.load(.named("first")) { _ in sut.load(.named("second"), completion: answers.receive) }
    }

    let wasAnswered = await answers.receives(1)
    #expect(wasAnswered, "The second request was not answered: is a lock held while the first one is answered or sent?")
  }

  @Test("a user who signs out meanwhile stays signed out, whatever the refresh brings", arguments: RefreshOutcome.allCases)
  func respectsSigningOut(refresh: RefreshOutcome) async throws {
    let scene = Scene(credentials: .expired)

    scene.load("a", "b")
    await scene.refreshes(1)
    scene.store.credentials = nil
    scene.refresher.calls.complete(with: refresh.result)

    for name in ["a", "b"] {
      try await scene.expectFailure(
        HTTPClientError.signedOut, of: name, "Nobody is signed in any more: those who waited get `HTTPClientError.signedOut`.")
    }
    #expect(scene.store.credentials == nil, "The user has signed out, and the refresh has brought the credentials back.")
    #expect(scene.sent.isEmpty, "The user has signed out: nothing may be sent in their name.")
  }

  @Test("somebody else who has signed in meanwhile stays signed in")
  func respectsTheNextUser() async throws {
    let nextUser = Credentials(
      accessToken: "next-user", refreshToken: "next-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(3600))
    let store = CredentialsStoreSpy(.expired)
    let refresher = CredentialsRefresherSpy()
    let client = ImmediateClient()
    let answers = Inbox<HTTPResult>()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.named("articles"), completion: answers.receive)
    await refresher.calls.receives(1)
    store.credentials = nextUser
    refresher.calls.complete(with: .success(.renewed))

    _ = try await answers.only("The refresher has answered: those who waited for it want an answer, too.")
    #expect(
      store.credentials == nextUser,
      "Somebody else has signed in. The credentials that the refresh brings belong to the user before, and must not replace theirs."
    )
    #expect(
      !client.tokens.contains("new-token"), "The user before has signed out: nothing may be sent in their name any more.")
  }

  @Test(
    "somebody who signs in during a refresh does not share the fate of the user before", arguments: NextUsersCredentials.allCases)
  func servesTheOneWhoSignsIn(credentials: NextUsersCredentials) async throws {
    let (store, refresher, client) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), ImmediateClient())
    let (before, answers) = (Inbox<HTTPResult>(), Inbox<HTTPResult>())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })
    var nextUser = Credentials(
      accessToken: "next-user", refreshToken: "next-user-refresh", expiresAt: ManualClock().date.addingTimeInterval(900))

    sut.load(.named("of-the-user-before"), completion: before.receive)
    await refresher.calls.receives(1)
    store.credentials = nextUser
    if credentials == .expired { store.credentials?.expiresAt -= 900 }
    sut.load(.named("of-the-next-user"), completion: answers.receive)
    refresher.calls.complete(0, with: .failure(URLError(.timedOut)))
    if credentials == .expired { await refresher.calls.receives(2) }
    await before.receives(1)
    sut.load(.named("of-the-next-user"), completion: answers.receive)
    if credentials == .expired {
      await refresher.calls.receives(2)
      try #require(
        refresher.calls.arguments == ["refresh-1", "next-user-refresh"],
        "The one who has signed in meanwhile has expired credentials, too: refresh them, once, with the refresh token of their own."
      )
      nextUser.accessToken = "next-user-renewed"
      refresher.calls.complete(1, with: .success(nextUser))
    }

    await answers.receives(2)
    #expect(
      client.tokens(of: "of-the-next-user") == [nextUser.accessToken, nextUser.accessToken],
      "The refresh that was under way when they signed in is not theirs, and neither is its failure: send their requests.")
    #expect(answers.values.count == 2, "The one who has signed in wants an answer to each of two requests.")
  }

  @Test("a caller that has gone away does no harm to the others")
  func survivesLostCallers() async throws {
    let scene = Scene(credentials: .expired)
    var screen: Screen? = Screen()

    scene.load("a")
    scene.sut.load(.named("gone")) { [weak screen] _ in screen?.answers += 1 }
    scene.load("b")
    screen = nil
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .success(.renewed))
    await scene.sends(3)
    try #require(scene.sent.count >= 2, "Those who are still there have to be sent.")
    for (index, request) in scene.client.requests.enumerated() {
      scene.client.calls.complete(index, with: .status(200, request.url?.lastPathComponent ?? ""))
    }

    #expect(try await scene.answer(to: "a").text == "200 a", "The request before the lost one wants its answer.")
    #expect(try await scene.answer(to: "b").text == "200 b", "The request behind the lost one wants its answer.")
  }

  @Test("when all is done, the decorator is released")
  func lastsNoLongerThanItsWork() async {
    let refresher = ForgetfulRefresher()
    let answers = Inbox<Void>()

    await expectReleased("The decorator still keeps what it was made with: who keeps the decorator, when nobody waits?") {
      leaks in
      let sut = RefreshCredentialsHTTPClientDecorator(
        decoratee: ImmediateClient(), store: leaks.track(CredentialsStoreSpy(.expired)), refresher: refresher,
        now: { ManualClock().date })
      sut.load(.named("a")) { _ in answers.receive(()) }
      sut.load(.named("b")) { _ in answers.receive(()) }
      await refresher.calls.receives(1)
      refresher.complete(with: .success(.renewed))
      await answers.receives(2)
    }
    #expect(refresher.calls.values.count == 1, "Two requests came while the credentials were expired: one refresh.")
    #expect(answers.values.count == 2, "Both requests want their answer.")
  }
}

/// Runs work on another queue and says whether it came to its end.
private func hasFinished(_ work: @escaping () -> Void) async -> Bool {
  let done = Inbox<Void>()
  DispatchQueue.global().async {
    work()
    done.receive(())
  }
  return await done.receives(1)
}

/// Lets nobody go on before two threads have come, or a moment has passed.
private final class Meeting: Sendable {
  private let arrivals = Locked(0)
  private let second = DispatchSemaphore(value: 0)

  func come() {
    let number = arrivals.withLock { arrivals in
      arrivals += 1
      return arrivals
    }
    if number == 1 { _ = second.wait(timeout: .now() + 0.25) }
    if number == 2 { second.signal() }
  }
}

/// Answers before `refresh` returns.
private struct ImmediateRefresher: CredentialsRefresher {
  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    completion(.success(.renewed))
  }
}

private final class Screen {
  var answers = 0
}

/// Answers before `load` returns.
private struct ImmediateClient: HTTPClient {
  private let requests = Inbox<URLRequest>()

  var tokens: [String] {
    requests.values.compactMap(\.token)
  }

  func tokens(of name: String) -> [String] {
    requests.values.filter { $0.url?.lastPathComponent == name }.compactMap(\.token)
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.receive(request)
    completion(.status(200))
  }
}

/// Forgets a completion when it has called it.
private final class ForgetfulRefresher: CredentialsRefresher {
  let calls = Inbox<Void>()
  private let completion = Locked<((Result<Credentials, any Error>) -> Void)?>(nil)

  func refresh(with refreshToken: String, completion: @escaping (Result<Credentials, any Error>) -> Void) {
    self.completion.withLock { $0 = completion }
    calls.receive(())
  }

  func complete(with result: Result<Credentials, any Error>) {
    let completion = self.completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(result)
  }
}

/// The credentials of the user who signs in during a refresh.
enum NextUsersCredentials: CaseIterable {
  case valid
  case expired
}
