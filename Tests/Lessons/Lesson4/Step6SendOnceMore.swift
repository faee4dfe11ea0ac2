import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 6: when the server says 401 (extra)", .oneAtATime)
struct Step6SendOnceMore {
  @Test("after a 401, credentials are refreshed and the request is sent again")
  func refreshesAndRetries() async {
    await story(
      .valid, "A 401 means that the server rejects the token. Refresh, and send the request once more, with the new token."
    ) {
      await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
      await $0.respond(401, to: "/articles", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
      await $0.respond(200, to: "/articles", leadsTo: "/articles receives 200 (sent with new-token)")
    }
  }

  @Test("the result of the second attempt is delivered")
  func neverLoops() async {
    await each("status", in: [401, 403, 500]) { status in
      await story(.valid, "Send a request twice at most. Deliver the second result unchanged, even if it is another 401.") {
        await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
        await $0.respond(401, to: "/articles", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
        await $0.respond(status, to: "/articles", leadsTo: "/articles receives \(status) (sent with new-token)")
      }
    }
  }

  @Test("a 401 for a token that has been replaced starts no refresh")
  func usesTheNewerToken() async {
    await story(.valid, "The rejected token is no longer the stored one. Send the request once more with the stored token.") {
      await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
      $0.store(.renewed)
      await $0.respond(401, to: "/articles", leadsTo: "/articles is sent with new-token")
      await $0.respond(401, to: "/articles", leadsTo: "/articles receives 401 (sent with new-token)")
    }
  }

  @Test("one refresh serves all rejected requests, and new requests wait for it")
  func survivesAStorm() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken
      await story(
        .valid, "One refresh serves every request that carried the rejected token, and new requests wait for it."
      ) {
        await $0.load(
          "/articles", "/comments", "/profile", leadsTo: "/articles is sent with valid-token",
          "/comments is sent with valid-token", "/profile is sent with valid-token")
        await $0.respond(401, to: "/articles", leadsTo: "a refresh with refresh-1 starts")
        await $0.respond(401, to: "/comments")
        await $0.load("/search")
        await $0.refresh(
          obtains: renewed, leadsTo: "new-token is stored", "/articles is sent with new-token",
          "/comments is sent with new-token", "/search is sent with new-token")
        await $0.respond(401, to: "/profile", leadsTo: "/profile is sent with new-token")
      }
    }
  }

  @Test("after a 401, the request fails if the refresh fails")
  func failsWithTheRefresh() async {
    await each("refresh error", in: [Trouble.refused, .offline]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(.valid, "If the refresh after a 401 fails, deliver its error, and don't send the request again.") {
        await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
        await $0.respond(401, to: "/articles", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(fails: trouble, leadsTo: "/articles receives \(received)")
      }
    }
  }

  @Test("a request whose body is a stream is not sent again")
  func sendsAStreamOnce() async {
    await story(.valid, "A body stream can be read only once, so this request cannot be sent again. Deliver its 401.") {
      await $0.load("/upload", streaming: true, leadsTo: "/upload is sent with valid-token")
      await $0.respond(401, to: "/upload", leadsTo: "/upload receives 401 (sent with valid-token)")
    }
  }

  @Test("rejected requests are sent again even if the app releases the decorator")
  func staysAliveAfterA401() async {
    await story(
      .valid,
      "Once the app has released the decorator, only the request keeps it alive. With a weak `self`, the second attempt is lost."
    ) {
      await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
      $0.release()
      await $0.respond(401, to: "/articles", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
    }
  }
}
