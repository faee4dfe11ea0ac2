import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.ClosureClient
import class TestSupport.HTTPClientSpy
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import class TestSupport.ManualClock
import enum TestSupport.SampleError

@testable import Exercise4

@Suite("Step 6: when the server says 401 (extra)", .oneAtATime)
struct Step6SendOnceMore {
  @Test("after a 401, credentials are refreshed and the request is sent again")
  func refreshesAndRetries() async {
    let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<HTTPResult>())
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher, now: { ManualClock().date })

    sut.load(.named("articles"), completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(0, with: .status(401))
    await refresher.calls.receives(1)
    #expect(refresher.calls.count == 1, "A 401 means that the server rejects the token. Refresh the credentials.")
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)
    #expect(client.requests.map(\.sentToken) == ["valid-token", "new-token"], "Send the request once more, with the new token.")
    client.calls.complete(1, with: .status(200, "the articles"))
    await results.receives(1)

    #expect(results.values.map(\.text) == ["200 the articles"], "Deliver the result of the second attempt, and no other.")
  }

  @Test("the result of the second attempt is delivered")
  func neverLoops() async {
    await each("status", in: [401, 403, 100, 599]) { status in
      await story(World(.valid), "Send a request twice at most. Deliver the second result unchanged, even if it is another 401.")
      {
        await $0.load("/articles", leadsToAllOf: ["/articles is sent with valid-token"])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
        await $0.respond(to: "/articles", status: status, leadsToAllOf: ["/articles receives \(status) (sent with new-token)"])
      }
    }
  }

  @Test("a 401 for a token that has been replaced starts no refresh")
  func usesTheNewerToken() async {
    await story(
      World(.valid), "The rejected token is no longer the stored one. Send the request once more with the stored token."
    ) {
      await $0.load("/articles", leadsToAllOf: ["/articles is sent with valid-token"])
      await $0.signIn(with: .renewed)
      await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["/articles is sent with new-token"])
      await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["/articles receives 401 (sent with new-token)"])
    }
  }

  @Test("one refresh serves all rejected requests, and new requests wait for it")
  func survivesAStorm() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken
      await story(
        World(.valid), "One refresh serves every request that carried the rejected token, and new requests wait for it."
      ) {
        await $0.load(
          "/articles", "/comments", "/profile",
          leadsToAllOf: [
            "/articles is sent with valid-token", "/comments is sent with valid-token", "/profile is sent with valid-token",
          ])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.respond(to: "/comments", status: 401)
        await $0.load("/search")
        await $0.endRefresh(
          with: .success(renewed),
          leadsToAllOf: [
            "new-token is stored", "/articles is sent with new-token", "/comments is sent with new-token",
            "/search is sent with new-token",
          ])
        await $0.respond(to: "/profile", status: 401, leadsToAllOf: ["/profile is sent with new-token"])
      }
    }
  }

  @Test("after a 401, the request fails if the refresh fails")
  func failsWithTheRefresh() async {
    await each("refresh error", in: [SampleError.refused, .offline]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(World(.valid), "If the refresh after a 401 fails, deliver its error, and don't send the request again.") {
        await $0.load("/articles", leadsToAllOf: ["/articles is sent with valid-token"])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.endRefresh(with: .failure(trouble.error), leadsToAllOf: ["/articles receives \(received)"])
      }
    }
  }

  @Test("a request whose body is a stream is not sent again")
  func sendsAStreamOnce() async {
    await story(World(.valid), "A body stream can be read only once, so this request cannot be sent again. Deliver its 401.") {
      await $0.load("/upload", isStreaming: true, leadsToAllOf: ["/upload is sent with valid-token"])
      await $0.respond(to: "/upload", status: 401, leadsToAllOf: ["/upload receives 401 (sent with valid-token)"])
    }
  }

  @Test("rejected requests are sent again even if the app releases the decorator")
  func staysAliveAfterA401() async {
    await story(
      World(.valid),
      "Once the app has released the decorator, only the request keeps it alive. With a weak `self`, the second attempt is lost."
    ) {
      await $0.load("/articles", leadsToAllOf: ["/articles is sent with valid-token"])
      await $0.releaseDecorator()
      await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.endRefresh(with: .success(.renewed), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
    }
  }

  @Test("a 401 and a refresh on another thread cause no second refresh")
  func leavesNoGapAfterA401() async {
    for _ in 1...75 {
      let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy(responding: { _ in .success(.renewed) }))
      let interruption = Locked<(@Sendable () -> Void)?>(nil)
      let store = CredentialsStoreSpy(.valid, afterRead: { interruption.withLock { $0.take() }?() })
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)
      for name in ["first", "second"] { sut.load(.named(name)) { _ in } }
      await client.calls.receives(2)

      interruption.withLock { $0 = { onAnotherThread { client.calls.complete(1, with: .status(401)) } } }
      let hasReturned = await returns { client.calls.complete(0, with: .status(401)) }
      await client.calls.receives(4)

      let isRight = hasReturned && refresher.calls.count == 1 && client.requests.count == 4
      #expect(
        isRight,
        """
        Two requests were rejected. After the store had been read for one of them, another thread refreshed the credentials for the \
        other. The new token must not be refreshed again: read the store, compare it with the rejected token, and look for a refresh \
        in one step. Observed: refreshes: \(refresher.calls.count); requests: \(client.requests.count) of 4.
        """)
      guard isRight else { return }
    }
  }

  @Test("no lock is held while a request is sent again")
  func mayBeCalledBack() async {
    await each("token that is stored when the 401 arrives", in: [Credentials.valid, .renewed]) { stored in
      let (store, owner, results) = (
        CredentialsStoreSpy(.valid), Locked<RefreshCredentialsHTTPClientDecorator?>(nil), Inbox<String>()
      )
      let sut = makeSUT(
        decoratee: ClosureClient { request, completion in
          if request.url?.lastPathComponent == "first" {
            guard request.sentToken == "new-token" else {
              store.stored = stored
              return completion(.status(401))
            }
            let sut = owner.withLock { $0.take() }
            onAnotherThread(for: 10) { sut?.load(.named("second")) { _ in results.receive("second") } }
          }
          completion(.status(200))
        }, store: store, refresher: CredentialsRefresherSpy(responding: { _ in .success(.renewed) }))
      owner.withLock { $0 = sut }

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in results.receive("first") }
      }
      #expect(
        hasReturned,
        "`load` never returned. While the request was sent again, another thread loaded a second one, and had to wait: hold no lock then."
      )

      await results.receives(2)
      #expect(
        results.values.sorted() == ["first", "second"],
        "While a request was sent again, another thread loaded a second one. Each of them needs one result.")
    }
  }
}
