import Given
import TestSupport
import Testing

import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise4

@Suite("Step 3: when the refresh fails", .oneAtATime)
struct Step3FailWithTheRefresh {
  @Test("if a refresh is refused, `sessionExpired` is delivered")
  func deliversSessionExpired() async {
    let (store, refresher, results) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), Inbox<HTTPResult>())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: HTTPClientSpy(), store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.named("articles"), completion: results.receive)
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .failure(TokenEndpoint.Refused()))
    await results.receives(1)

    #expect(
      throws: HTTPClientError.sessionExpired, "After `TokenEndpoint.Refused`, deliver `HTTPClientError.sessionExpired`."
    ) { try results.values.first?.get() }
    #expect(store.writes.values.isEmpty, "After `TokenEndpoint.Refused`, leave the store alone.")
  }

  @Test("a refresh error other than a refusal is delivered")
  func deliversOtherErrors() async {
    await each("refresh error", in: SampleError.notRefused) { trouble in
      await story(
        World(.expired),
        "A user who is offline should stay signed in. If a refresh fails with any error but a refusal, deliver that error unchanged."
      ) {
        await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .failure(trouble.error), leadsToAllOf: ["/articles receives \(trouble.inWords)"])
      }
    }
  }

  @Test("after a failed refresh, the next request starts another refresh")
  func attemptsAgain() async {
    await each("refresh error", in: [SampleError.refused, .offline]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(World(.expired), "After a failed refresh, the next request with expired credentials should start a new one.") {
        await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .failure(trouble.error), leadsToAllOf: ["/articles receives \(received)"])
        await $0.load("/comments", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .failure(trouble.error), leadsToAllOf: ["/comments receives \(received)"])
        await $0.load("/profile", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/profile is sent with new-token"])
      }
    }
  }
}
