import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

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
    await each("refresh error", in: SampleError.allCases.filter { !$0.isRefusal }) { trouble in
      let (store, refresher, results) = (CredentialsStoreSpy(.expired), CredentialsRefresherSpy(), Inbox<HTTPResult>())
      let sut = makeSUT(decoratee: HTTPClientSpy(), store: store, refresher: refresher)

      sut.load(.named("articles"), completion: results.receive)
      await refresher.calls.receives(1)
      refresher.calls.complete(with: .failure(trouble.error))
      await results.receives(1)

      #expect(
        results.values.first?.failure?.isSame(as: trouble.error) == true,
        "If a refresh fails with any error but a refusal, deliver that error unchanged. The user should not have to sign in again."
      )
      #expect(store.writes.values.isEmpty, "If a refresh fails, leave the store alone.")
    }
  }

  @Test("after a failed refresh, the next request starts another refresh")
  func attemptsAgain() async {
    await each("refresh error", in: [SampleError.refused, .offline]) { trouble in
      let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<HTTPResult>())
      let sut = makeSUT(decoratee: client, refresher: refresher)

      for number in 1...4 {
        sut.load(.named("\(number)"), completion: results.receive)
        await refresher.calls.receives(number)
        #expect(
          refresher.calls.count == number,
          "After a failed refresh, the next request with expired credentials should start another.")
        refresher.calls.complete(number - 1, with: number < 4 ? .failure(trouble.error) : .success(.renewed))
        if number < 4 { await results.receives(number) }
      }
      await client.calls.receives(1)

      #expect(
        client.requests.map(\.path) == ["/4"], "Only the last refresh has succeeded, so only the last request should be sent.")
    }
  }
}
