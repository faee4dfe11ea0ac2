import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 4: share one refresh", .oneAtATime)
struct Step4ShareOneRefresh {
  @Test("requests that arrive during a refresh wait for it")
  func shareTheRefresh() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    for name in ["articles", "comments", "profile", "search", "tags"] { sut.load(.named(name)) { _ in } }
    await refresher.calls.receives(1)
    await store.reads.receives(5)
    #expect(
      refresher.calls.count == 1,
      "The first request starts a refresh. The others find that refresh under way, and wait for it without starting their own.")
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(5)

    #expect(
      client.requests.map { "\($0.path) with \($0.sentToken ?? "no token")" }.sorted()
        == ["articles", "comments", "profile", "search", "tags"].map { "/\($0) with new-token" },
      "When the refresh has succeeded, send each waiting request once, including the one that started the refresh.")
  }

  @Test("each waiting request receives its own result")
  func keepsResultsApart() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let results = Inbox<String>()
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for name in ["articles", "comments", "comments"] { sut.load(.named(name)) { results.receive("\(name), \($0.inWords)") } }
    await refresher.calls.receives(1)
    await store.reads.receives(3)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(3)
    for (index, request) in client.requests.enumerated() {
      client.calls.complete(index, with: request.path == "/comments" ? .status(500 + index) : .failure(URLError(.timedOut)))
    }
    await results.receives(3)

    #expect(
      Set(results.values).count == 3 && results.values.count { $0.hasPrefix("comments, 50") } == 2
        && results.values.contains("articles, URLError -1001"),
      "Each completion should receive the result of its own request, even if two requests are equal.")
  }

  @Test("a request does not wait for another decorator's refresh")
  func sharesNothingWithAnotherDecorator() async {
    let (first, second) = (CredentialsRefresherSpy(), CredentialsRefresherSpy())

    makeSUT(decoratee: HTTPClientSpy(), refresher: first).load(.named("articles")) { _ in }
    await first.calls.receives(1)
    makeSUT(decoratee: HTTPClientSpy(), refresher: second).load(.named("articles")) { _ in }
    await second.calls.receives(1)

    #expect(
      second.calls.count == 1,
      "Another decorator's refresh is under way. Two decorators share nothing: don't store its list in a `static` variable.")
    for calls in [first.calls, second.calls] where !calls.unfinished.isEmpty { calls.complete(with: .success(.renewed)) }
  }

  @Test("if the refresh fails, every waiting request fails")
  func failTogether() async {
    await each("refresh error", in: [SampleError.refused, .offline, .unavailable]) { trouble in
      let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
      let results = Inbox<String>()
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

      for name in ["articles", "comments", "profile"] { sut.load(.named(name)) { results.receive($0.inWords) } }
      await refresher.calls.receives(1)
      await store.reads.receives(3)
      refresher.calls.complete(with: .failure(trouble.error))
      await results.receives(3)

      #expect(
        results.values == Array(repeating: trouble.isRefusal ? "sessionExpired" : trouble.inWords, count: 3)
          && refresher.calls.count == 1,
        "If a refresh fails, every waiting request should fail with the same result, without another refresh.")
    }
  }

  @Test("when credentials expire again, they are refreshed again")
  func refreshesAgain() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let (client, refresher, clock) = (HTTPClientSpy(), CredentialsRefresherSpy(), ManualClock())
      let sut = makeSUT(decoratee: client, refresher: refresher, now: { clock.date })
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken

      sut.load(.named("articles")) { _ in }
      await refresher.calls.receives(1)
      refresher.calls.complete(with: .success(renewed))
      await client.calls.receives(1)
      clock.advance(by: 7200)
      sut.load(.named("profile")) { _ in }
      await refresher.calls.receives(2)

      #expect(
        refresher.calls.arguments == ["refresh-1", nextRefreshToken] && client.requests.map(\.path) == ["/articles"],
        "When the new credentials expire, the next request should start another refresh. Earlier requests are not sent again.")
    }
  }

  @Test("when the requests are complete, nothing retains them")
  func releasesWhatHasWaited() async {
    await expectReleased("The requests that waited for a refresh are complete. Which list still holds them?") { leaks in
      let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)
      leaks.track(sut as AnyObject, as: "the decorator")

      for name in ["articles", "comments"] {
        let lifetime = leaks.lifetime(of: "the completion of \(name)")
        sut.load(.named(name)) { _ in _ = lifetime }
      }
      await refresher.calls.receives(1)
      #expect(refresher.calls.count == 1, "The credentials have expired. Refresh them once.")
      guard refresher.calls.count == 1 else { return }
      await store.reads.receives(2)
      refresher.calls.complete(with: .success(.renewed))
      await client.calls.receives(2)
      for index in client.calls.unfinished { client.calls.complete(index, with: .status(200)) }
    }
  }

  @Test("completions of failed requests can call `load` again")
  func takesLatecomers() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for name in ["articles", "comments"] {
      sut.load(.named(name)) { _ in sut.load(.named("\(name)-again")) { _ in } }
    }
    await refresher.calls.receives(1)
    await store.reads.receives(2)
    let hasReturned = await returns { refresher.calls.complete(with: .failure(SampleError.offline.error)) }
    #expect(hasReturned, "The completion of a waiting request has called `load`, and that never returns: hold no lock then.")
    await refresher.calls.receives(2)
    await store.reads.receives(4)
    #expect(
      refresher.calls.count == 2,
      "The completions of two failed requests load again: the first should start a refresh, and the second should wait for it.")
    refresher.calls.complete(1, with: .success(.renewed))
    await client.calls.receives(2)

    #expect(
      Set(client.requests.map(\.path)) == ["/articles-again", "/comments-again"],
      "Requests that completions load don't belong to the list that is being served. Don't remove them with that list.")
  }
}
