import Given
import TestSupport
import Testing

import class TestSupport.HTTPClientSpy
import class TestSupport.ManualClock
import enum TestSupport.SampleError

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
    await story(World(.expired), "Each completion should receive the result of its own request, even if two requests are equal.")
    {
      await $0.load("/articles", "/comments", "/comments", leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.endRefresh(
        with: .success(.renewed),
        leadsToAllOf: [
          "new-token is stored", "/articles is sent with new-token", "/comments is sent with new-token",
          "/comments is sent with new-token",
        ])
      await $0.respond(to: "/comments", status: 404, leadsToAllOf: ["/comments receives 404 (sent with new-token)"])
      await $0.fail("/articles", with: .timedOut, leadsToAllOf: ["/articles receives URLError -1001"])
    }
  }

  @Test("if the refresh fails, every waiting request fails")
  func failTogether() async {
    await each("refresh error", in: [SampleError.refused, .offline, .unavailable]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(
        World(.expired), "If a refresh fails, every waiting request should fail with the same result, without another refresh."
      ) {
        await $0.load("/articles", "/comments", "/profile", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(
          with: .failure(trouble.error),
          leadsToAllOf: ["/articles receives \(received)", "/comments receives \(received)", "/profile receives \(received)"])
      }
    }
  }

  @Test("when credentials expire again, they are refreshed again")
  func refreshesAgain() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken
      await story(
        World(.expired),
        "When the new credentials expire, the next request should start another refresh. Earlier requests are not sent again."
      ) {
        await $0.load("/articles", "/comments", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(
          with: .success(renewed),
          leadsToAllOf: ["new-token is stored", "/articles is sent with new-token", "/comments is sent with new-token"])
        await $0.advance(7200)
        await $0.load("/profile", leadsToAllOf: ["a refresh with \(nextRefreshToken) starts"])
        await $0.endRefresh(
          with: .success(.newest), leadsToAllOf: ["newest-token is stored", "/profile is sent with newest-token"])
      }
    }
  }

  @Test("a waiting request's completion can call `load` again")
  func takesLatecomers() async {
    await story(World(.expired), "A waiting request's completion may load another request. The new request needs a result, too.")
    {
      await $0.load("/articles", then: "/late", leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.load("/comments")
      await $0.endRefresh(
        with: .success(.renewed),
        leadsToAllOf: ["new-token is stored", "/articles is sent with new-token", "/comments is sent with new-token"])
      await $0.respond(
        to: "/articles", status: 200,
        leadsToAllOf: ["/articles receives 200 (sent with new-token)", "/late is sent with new-token"])
    }
    await story(
      World(.expired), "The completion of a failed request may load another request, which should start another refresh."
    ) {
      await $0.load("/articles", then: "/late", afterAnyResult: true, leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.load("/comments")
      await $0.endRefresh(
        with: .failure(SampleError.offline.error),
        leadsToAllOf: [
          "/articles receives URLError -1009", "/comments receives URLError -1009", "a refresh with refresh-1 starts",
        ])
      await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/late is sent with new-token"])
    }
    await story(
      World(.expired),
      "The completions of two failed requests load again: the first starts a refresh, and the second waits for it. Neither belongs to the list that is being served, so remove nothing from it afterward."
    ) {
      await $0.load("/articles", then: "/late", afterAnyResult: true, leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.load("/comments", then: "/later", afterAnyResult: true)
      await $0.endRefresh(
        with: .failure(SampleError.offline.error),
        leadsToAllOf: [
          "/articles receives URLError -1009", "/comments receives URLError -1009", "a refresh with refresh-1 starts",
        ])
      await $0.endRefresh(
        with: .success(.renewed),
        leadsToAllOf: ["new-token is stored", "/late is sent with new-token", "/later is sent with new-token"])
    }
  }
}
