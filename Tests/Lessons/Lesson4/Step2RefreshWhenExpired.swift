import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 2: refresh when expired", .oneAtATime)
struct Step2RefreshWhenExpired {
  @Test("expired credentials are refreshed before the request is sent")
  func refreshesFirst() async {
    await story(
      .expired, "If the credentials have expired, refresh them, store the new ones, and then send the request with the new token."
    ) {
      await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
    }
  }

  @Test("credentials have expired if `now() >= expiresAt`")
  func expires() async {
    await each("lifetime in seconds", in: [3600, 0.5]) { (lifetime: TimeInterval) in
      await story(.valid(for: lifetime), "At `expiresAt` or later, refresh before you send the request.") {
        $0.pass(seconds: lifetime)
        await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      }
    }
  }

  @Test("credentials are still valid a fraction of a second before they expire")
  func isStillValid() async {
    await each("lifetime and age in seconds", in: [(0.75, 0.5), (3600.5, 3600.499755859375), (0.00048828125, 0.000244140625)]) {
      (lifetime: TimeInterval, elapsed: TimeInterval) in
      await story(
        .valid(for: lifetime), "Before `expiresAt`, send the request without a refresh. Compare dates, not whole seconds."
      ) {
        $0.pass(seconds: elapsed)
        await $0.load("/articles", leadsTo: "/articles is sent with valid-token")
      }
    }
  }

  @Test("after a refresh, the next request uses the new credentials")
  func refreshesOnce() async {
    await story(
      .expired,
      "Read the store for each request. With valid credentials, send it without a refresh. With none, deliver `signedOut`."
    ) {
      await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
      await $0.load("/comments", leadsTo: "/comments is sent with new-token")
      $0.store(nil)
      await $0.load("/profile", leadsTo: "/profile receives signedOut")
    }
  }

  @Test("a user who signs out during a refresh stays signed out")
  func staysSignedOut() async {
    for stored in [nil, Credentials.newUser] {
      await story(
        .expired,
        "If `replace` returns false, deliver `signedOut` and send nothing: the store no longer holds the credentials that were refreshed."
      ) {
        await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
        $0.store(stored)
        await $0.refresh(obtains: .renewed, leadsTo: "/articles receives signedOut")
        $0.show(
          "A user who has signed in during another user's refresh has expired credentials. Refresh them for the next request.")
        $0.store(.expiredNewUser)
        await $0.load("/comments", leadsTo: "a refresh with new-user-refresh starts")
      }
    }
  }

  @Test("a sign-out just before the call to `replace` is not undone")
  func leavesNoGapBeforeStoring() async {
    await story(
      .expired,
      "Comparing the stored credentials with the old ones and storing the new ones must be one step: let `replace` do both."
    ) {
      await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      $0.userSignsOutAtTheLastMoment()
      await $0.refresh(obtains: .renewed, leadsTo: "/articles receives signedOut")
    }
  }

  @Test("a waiting request is sent even if the app releases the decorator")
  func staysAliveWhileItWaits() async {
    await story(
      .expired,
      "Once the app has released the decorator, only the waiting request keeps it alive. With a weak `self`, that request is lost."
    ) {
      await $0.load("/articles", leadsTo: "a refresh with refresh-1 starts")
      $0.release()
      await $0.refresh(obtains: .renewed, leadsTo: "new-token is stored", "/articles is sent with new-token")
    }
  }
}
