import Given
import TestSupport
import Testing

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
    await each("status", in: [401, 403, 500]) { status in
      await story(
        RefreshStory(.valid), "Send a request twice at most. Deliver the second result unchanged, even if it is another 401."
      ) {
        await $0.play(.load(["/articles"]), leadsToAllOf: ["/articles is sent with valid-token"])
        await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.play(
          .endRefresh(with: .obtains(.renewed)), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
        await $0.play(
          .respond(to: "/articles", status: status), leadsToAllOf: ["/articles receives \(status) (sent with new-token)"])
      }
    }
  }

  @Test("a 401 for a token that has been replaced starts no refresh")
  func usesTheNewerToken() async {
    await story(
      RefreshStory(.valid), "The rejected token is no longer the stored one. Send the request once more with the stored token."
    ) {
      await $0.play(.load(["/articles"]), leadsToAllOf: ["/articles is sent with valid-token"])
      await $0.play(.signIn(with: .renewed))
      await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["/articles is sent with new-token"])
      await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["/articles receives 401 (sent with new-token)"])
    }
  }

  @Test("one refresh serves all rejected requests, and new requests wait for it")
  func survivesAStorm() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken
      await story(
        RefreshStory(.valid), "One refresh serves every request that carried the rejected token, and new requests wait for it."
      ) {
        await $0.play(
          .load(["/articles", "/comments", "/profile"]),
          leadsToAllOf: [
            "/articles is sent with valid-token", "/comments is sent with valid-token", "/profile is sent with valid-token",
          ])
        await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.play(.respond(to: "/comments", status: 401))
        await $0.play(.load(["/search"]))
        await $0.play(
          .endRefresh(with: .obtains(renewed)),
          leadsToAllOf: [
            "new-token is stored", "/articles is sent with new-token", "/comments is sent with new-token",
            "/search is sent with new-token",
          ])
        await $0.play(.respond(to: "/profile", status: 401), leadsToAllOf: ["/profile is sent with new-token"])
      }
    }
  }

  @Test("after a 401, the request fails if the refresh fails")
  func failsWithTheRefresh() async {
    await each("refresh error", in: [Trouble.refused, .offline]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(RefreshStory(.valid), "If the refresh after a 401 fails, deliver its error, and don't send the request again.")
      {
        await $0.play(.load(["/articles"]), leadsToAllOf: ["/articles is sent with valid-token"])
        await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["a refresh with refresh-1 starts"])
        await $0.play(.endRefresh(with: .fails(trouble)), leadsToAllOf: ["/articles receives \(received)"])
      }
    }
  }

  @Test("a request whose body is a stream is not sent again")
  func sendsAStreamOnce() async {
    await story(
      RefreshStory(.valid), "A body stream can be read only once, so this request cannot be sent again. Deliver its 401."
    ) {
      await $0.play(.load(["/upload"], .isStreaming), leadsToAllOf: ["/upload is sent with valid-token"])
      await $0.play(.respond(to: "/upload", status: 401), leadsToAllOf: ["/upload receives 401 (sent with valid-token)"])
    }
  }

  @Test("rejected requests are sent again even if the app releases the decorator")
  func staysAliveAfterA401() async {
    await story(
      RefreshStory(.valid),
      "Once the app has released the decorator, only the request keeps it alive. With a weak `self`, the second attempt is lost."
    ) {
      await $0.play(.load(["/articles"]), leadsToAllOf: ["/articles is sent with valid-token"])
      await $0.play(.release)
      await $0.play(.respond(to: "/articles", status: 401), leadsToAllOf: ["a refresh with refresh-1 starts"])
      await $0.play(
        .endRefresh(with: .obtains(.renewed)), leadsToAllOf: ["new-token is stored", "/articles is sent with new-token"])
    }
  }
}
