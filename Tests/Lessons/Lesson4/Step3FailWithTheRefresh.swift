import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 3: when the refresh fails", .oneAtATime)
struct Step3FailWithTheRefresh {
  @Test("if a refresh is refused, `sessionExpired` is delivered")
  func deliversSessionExpired() async {
    await story(.expired, "After `TokenEndpoint.Refused`, deliver `HTTPClientError.sessionExpired`, and leave the store alone.") {
      await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(fails: .refused, leadsTo: "/articles receives sessionExpired")
    }
  }

  @Test("a refresh error other than a refusal is delivered")
  func deliversOtherErrors() async {
    await each("refresh error", in: Trouble.notRefused) { trouble in
      await story(
        .expired,
        "A user who is offline should stay signed in. If a refresh fails with any error but a refusal, deliver that error unchanged."
      ) {
        await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(fails: trouble, leadsTo: "/articles receives \(trouble.inWords)")
      }
    }
  }

  @Test("after a failed refresh, the next request starts another refresh")
  func attemptsAgain() async {
    await each("refresh error", in: [Trouble.refused, .offline]) { trouble in
      let received = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(.expired, "After a failed refresh, the next request with expired credentials should start a new one.") {
        await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(fails: trouble, leadsTo: "/articles receives \(received)")
        await $0.load("/comments", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(fails: trouble, leadsTo: "/comments receives \(received)")
        await $0.load("/profile", leadsTo: "a refresh with refresh-1 starts")
        await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/profile is sent with new-token")
      }
    }
  }
}
