import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise4

@Suite("Step 2: refresh when expired", .oneAtATime)
struct Step2RefreshWhenExpired {
  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.elaborate) { _ in }
    await refresher.calls.receives(1)
    #expect(refresher.calls.arguments == ["refresh-1"], "If the credentials have expired, refresh them.")
    #expect(client.requests.isEmpty, "Send nothing until the refresh has obtained new credentials.")
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(1)
    #expect(store.writes.values == [.renewed], "Store the new credentials.")
    #expect(client.requests.map(\.sentToken) == ["new-token"], "Then send the request with the new token.")
    for sent in client.requests { expectUnchanged(sent, from: .elaborate, except: "Authorization") }
  }

  @Test("after a refresh, requests carry the token that is in the store")
  func refreshesOnce() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    for (number, user) in [Credentials.expired, .renewed, .newUser].enumerated() {
      store.stored = user
      sut.load(.named("\(number)")) { _ in }
      if number == 0 {
        await refresher.calls.receives(1)
        refresher.calls.complete(with: .success(.renewed))
      }
      await client.calls.receives(number + 1)
    }

    #expect(
      client.requests.map(\.sentToken) == ["new-token", "new-token", "new-user"],
      "Read the store for each request, and remember no credentials.")
    #expect(refresher.calls.count == 1, "Valid credentials need no refresh.")
  }

  @Test("credentials expire at `expiresAt`, and not a moment before")
  func expiresOnTime() async {
    await each(
      "lifetime and age in seconds",
      in: [
        (3600, 3600), (0.5, 0.5), (0.5, 0.75), (1e11, 1e11), (-1e11, 0), (0.75, 0.5), (3600.5, 3600.499755859375),
        (0.00048828125, 0.000244140625), (1e11, 3600),
      ]
    ) { (lifetime: TimeInterval, age: TimeInterval) in
      let (client, refresher, clock) = (HTTPClientSpy(), CredentialsRefresherSpy(), ManualClock())
      let sut = makeSUT(
        decoratee: client, store: CredentialsStoreSpy(.valid(for: lifetime)), refresher: refresher, now: { clock.date })

      clock.advance(by: age)
      sut.load(.named("articles")) { _ in }
      await eventually { refresher.calls.count + client.calls.count > 0 }

      #expect(
        refresher.calls.count == (age < lifetime ? 0 : 1),
        "At `expiresAt` or later, refresh, and before that, don't. Compare dates, not whole seconds, and ask `now` for the date.")
      for call in refresher.calls.unfinished { refresher.calls.complete(call, with: .success(.renewed)) }
    }
  }

  @Test("a new token is sent even if it has expired by then")
  func sendsWhatHasExpired() async {
    let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, refresher: refresher)

    sut.load(.named("articles")) { _ in }
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.valid(for: -1)))
    await client.calls.receives(1)

    #expect(
      client.requests.map(\.sentToken) == ["valid-token"] && refresher.calls.count == 1,
      "The new credentials have expired, too. Send the request with them, without another refresh: the server decides.")
  }

  @Test("a user who leaves during a refresh stays signed out")
  func staysSignedOut() async throws {
    try await each("store afterward", in: [nil, Credentials.newUser]) { (next: Credentials?) in
      let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
      let results = Inbox<HTTPResult>()
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

      sut.load(.named("articles"), completion: results.receive)
      await refresher.calls.receives(1)
      store.stored = next
      refresher.calls.complete(with: .success(.renewed))

      let result = try await results.only("If `replace` returns false, deliver `signedOut`. Nothing was delivered.")
      result.expectFailure(HTTPClientError.signedOut, "If `replace` returns false, deliver `signedOut`.")
      #expect(client.requests.isEmpty, "If `replace` returns false, send nothing.")
      #expect(store.stored == next, "The user has left during the refresh. Don't store anything after that.")

      store.stored = .expired
      sut.load(.named("comments")) { _ in }
      await refresher.calls.receives(2)
      #expect(refresher.calls.count == 2, "The user is back, with expired credentials. The first refresh is over: start another.")
      for call in refresher.calls.unfinished { refresher.calls.complete(call, with: .success(.renewed)) }
    }
  }

  @Test("a sign-out just before the call to `replace` is not undone")
  func leavesNoGapBeforeStoring() async throws {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let results = Inbox<HTTPResult>()
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    sut.load(.named("articles"), completion: results.receive)
    await refresher.calls.receives(1)
    store.letTheUserSignOut()
    refresher.calls.complete(with: .success(.renewed))

    let rule =
      "Comparing the stored credentials with the old ones and storing the new ones must be one step: let `replace` do both."
    let result = try await results.only("\(rule) Nothing was delivered.")
    result.expectFailure(HTTPClientError.signedOut, rule)
    #expect(client.requests.isEmpty && store.stored == nil, "\(rule)")
  }

  @Test("a waiting request is sent even if the app releases the decorator")
  func staysAliveWhileItWaits() async {
    let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy())

    // Nothing but the waiting request retains the decorator, and the store that it has.
    makeSUT(decoratee: client, store: StoreRelay(to: CredentialsStoreSpy(.expired)), refresher: refresher)
      .load(.named("articles")) { _ in }
    await refresher.calls.receives(1)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(1)

    #expect(
      client.requests.map(\.sentToken) == ["new-token"],
      "Once the app has released the decorator, only the waiting request keeps it alive. With a weak `self`, that request is lost."
    )
  }
}
