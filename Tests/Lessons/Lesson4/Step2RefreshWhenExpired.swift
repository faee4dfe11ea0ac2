import Given
import TestSupport
import Testing

import class TestSupport.HTTPClientSpy
import class TestSupport.ManualClock

@testable import Exercise4

@Suite("Step 2: refresh when expired", .oneAtATime)
struct Step2RefreshWhenExpired {
  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.expired), CredentialsRefresherSpy())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: store, refresher: refresher, now: { ManualClock().date })

    sut.load(.named("articles")) { _ in }
    await refresher.calls.receives(1)
    #expect(refresher.calls.arguments == ["refresh-1"], "If the credentials have expired, refresh them.")
    #expect(client.requests.isEmpty, "Send nothing until the refresh has obtained new credentials.")
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(1)

    #expect(store.writes.values == [.renewed], "Store the new credentials.")
    #expect(client.requests.map(\.sentToken) == ["new-token"], "Then send the request with the new token.")
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func expires() async {
    await each("lifetime in seconds", in: [3600, 0.5, 1e11, -1e11]) { (lifetime: TimeInterval) in
      await story(World(.valid(for: lifetime)), "At `expiresAt` or later, refresh before you send the request.") {
        await $0.advance(lifetime)
        await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
      }
    }
  }

  @Test("credentials are still valid a fraction of a second before they expire")
  func isStillValid() async {
    await each(
      "lifetime and age in seconds",
      in: [(0.75, 0.5), (3600.5, 3600.499755859375), (0.00048828125, 0.000244140625), (1e11, 3600)]
    ) {
      (lifetime: TimeInterval, elapsed: TimeInterval) in
      await story(
        World(.valid(for: lifetime)), "Before `expiresAt`, send the request without a refresh. Compare dates, not whole seconds."
      ) {
        await $0.advance(elapsed)
        await $0.load("/articles", leadsToAllOf: ["/articles is sent with valid-token"])
      }
    }
  }

  @Test("after a refresh, the next request uses the new credentials")
  func refreshesOnce() async {
    await story(
      World(.expired),
      "Read the store for each request. With valid credentials, send it without a refresh. With none, deliver `signedOut`."
    ) {
      await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
      await $0.load("/comments", leadsToAllOf: ["/comments is sent with new-token"])
      await $0.signOut()
      await $0.load("/profile", leadsToAllOf: ["/profile receives signedOut"])
    }
  }

  @Test("a user who signs out during a refresh stays signed out")
  func staysSignedOut() async {
    let ways: [(World) async -> Void] = [{ await $0.signOut() }, { await $0.signIn(with: .newUser) }]
    for leave in ways {
      await story(
        World(.expired),
        "If `replace` returns false, deliver `signedOut` and send nothing: the store no longer holds the credentials that were refreshed."
      ) {
        await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await leave($0)
        await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["/articles receives signedOut"])
      }
      await story(
        World(.expired),
        "A user who has signed in during another user's refresh has expired credentials. Refresh them for the next request."
      ) {
        await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
        await leave($0)
        await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["/articles receives signedOut"])
        await $0.signIn(with: .expiredNewUser)
        await $0.load("/comments", leadsToAllOf: ["a refresh with new-user-refresh starts"])
      }
    }
  }

  @Test("a sign-out just before the call to `replace` is not undone")
  func leavesNoGapBeforeStoring() async {
    await story(
      World(.expired),
      "Comparing the stored credentials with the old ones and storing the new ones must be one step: let `replace` do both."
    ) {
      await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.endRefresh(with: .success(.renewed), userLeaves: true, leadsToAllOf: ["/articles receives signedOut"])
    }
  }

  @Test("a waiting request is sent even if the app releases the decorator")
  func staysAliveWhileItWaits() async {
    await story(
      World(.expired),
      "Once the app has released the decorator, only the waiting request keeps it alive. With a weak `self`, that request is lost."
    ) {
      await $0.load("/articles", leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.releaseDecorator()
      await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
    }
  }
}
