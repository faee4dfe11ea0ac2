import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 4: share one refresh", .oneAtATime)
struct Step4ShareOneRefresh {
  @Test("requests that arrive during a refresh wait for it")
  func shareTheRefresh() async {
    await story(
      .expired,
      "The first request starts a refresh. The others find that refresh under way, and wait for it without starting their own."
    ) {
      await $0.load("/articles", "/comments", "/profile", "/search", "/tags", leadsTo: "a refresh with refresh-1 starts")
      $0.show("When the refresh has succeeded, send each waiting request once, including the one that started the refresh.")
      await $0.refresh(
        obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token",
        "/comments is sent with new-token", "/profile is sent with new-token", "/search is sent with new-token",
        "/tags is sent with new-token")
    }
  }

  @Test("each waiting request receives its own result")
  func keepsResultsApart() async {
    await story(.expired, "Each completion should receive the result of its own request, even if two requests are equal.") {
      await $0.load("/articles", "/comments", "/comments", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(
        obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token",
        "/comments is sent with new-token", "/comments is sent with new-token")
      await $0.respond(404, to: "/comments", leadsTo: "/comments receives 404 (sent with new-token)")
      await $0.fail("/articles", with: .timedOut, leadsTo: "/articles receives URLError -1001")
    }
  }

  @Test("if the refresh fails, every waiting request fails")
  func failTogether() async {
    await each("refresh error", in: [Trouble.refused, .offline, .unavailable]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(
        .expired, "If a refresh fails, every waiting request should fail with the same result, without another refresh."
      ) {
        await $0.load("/articles", "/comments", "/profile", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(
          fails: trouble, leadsTo: "/articles receives \(received)", "/comments receives \(received)",
          "/profile receives \(received)")
      }
    }
  }

  @Test("when credentials expire again, they are refreshed again")
  func refreshesAgain() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken
      await story(
        .expired,
        "When the new credentials expire, the next request should start another refresh. Earlier requests are not sent again."
      ) {
        await $0.load("/articles", "/comments", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(
          obtains: renewed, leadsTo: "new-token is stored", "/articles is sent with new-token",
          "/comments is sent with new-token")
        $0.pass(seconds: 7200)
        await $0.load("/profile", leadsTo: "a refresh with \(nextRefreshToken) starts")
        await $0.refresh(obtains: .newest, leadsTo: "newest-token is stored", "/profile is sent with newest-token")
      }
    }
  }

  @Test("a waiting request's completion can call `load` again")
  func takesLatecomers() async {
    await story(
      .expired, "A waiting request's completion may load another request. The new request needs a result, too."
    ) {
      await $0.load("/articles", then: "/late", leadsTo: "a refresh with refresh-1 starts")
      await $0.load("/comments")
      await $0.refresh(
        obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token",
        "/comments is sent with new-token")
      await $0.respond(
        200, to: "/articles", leadsTo: "/articles receives 200 (sent with new-token)", "/late is sent with new-token")
    }
    await story(
      .expired, "The completion of a failed request may load another request, which should start another refresh."
    ) {
      await $0.load("/articles", then: "/late", leadsTo: "a refresh with refresh-1 starts")
      await $0.load("/comments")
      await $0.refresh(
        fails: .offline, leadsTo: "/articles receives URLError -1009", "/comments receives URLError -1009",
        "a refresh with refresh-1 starts")
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/late is sent with new-token")
    }
  }
}
