import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 2: one refresh", .oneAtATime)
struct Step2OneRefresh {
  @Test("if no one is signed in, `signedOut` is thrown")
  func needsCredentials() async {
    await story(RefreshStory(isSignedIn: false), "If the store holds no credentials, throw `HTTPClientError.signedOut`.") {
      await $0.play(.call(), leadsTo: "caller 1 receives signedOut")
    }
  }

  @Test("valid credentials are returned without a refresh")
  func returnsValidCredentials() async {
    await story(RefreshStory(lifetime: 60), "Until `now() >= expiresAt`, return the stored credentials.") {
      await $0.play(.advance(59.75))
      await $0.play(.call(), leadsTo: "caller 1 receives ada-1")
    }
  }

  @Test("expired credentials are refreshed and stored, then returned")
  func refreshes() async {
    await story(
      RefreshStory(lifetime: 60), "At `expiresAt` or later, call the refresher, store the new credentials, and then return them."
    ) {
      await $0.play(.advance(60))
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(.endRefresh(with: .renewed()), leadsTo: "ada-2 is stored", "caller 1 receives ada-2")
    }
  }

  @Test("fifty simultaneous callers share one refresh")
  func sharesTheRefresh() async throws {
    let (refresher, store, queue) = (
      AsyncCalls<String, Credentials>(to: "the refresher"), CredentialsStoreSpy(.expired), OneQueue()
    )
    let sut = CredentialsProvider(store: store, refresher: StoryRefresher(calls: refresher), now: { ManualClock().date })

    // All callers run on one queue. When it has nothing left to do, each of them has come as far as it can.
    let callers = (1...50).map { _ in Running(on: queue) { try await sut.credentials() } }
    await queue.settled()
    await refresher.receives(1)
    await queue.settled()
    #expect(
      refresher.count == 1,
      "Fifty callers found expired credentials. The refresher should be called once: what should the other callers find?")
    refresher.completesEachCall(with: .success(.renewed))
    var results: [Credentials] = []
    for caller in callers {
      results.append(try await caller.outcome().expectSuccess("The refresh succeeded, so each caller should get credentials."))
    }

    #expect(store.writes.values == [.renewed], "The new credentials should be stored once.")
    #expect(results.allSatisfy { $0 == .renewed }, "Each caller should get the new credentials.")
  }

  @Test("if the refresh fails, each waiting caller gets the error")
  func failsForAll() async {
    await each("error", in: Trouble.allCases) { trouble in
      let error = trouble.isRefusal ? "sessionExpired" : trouble.inWords
      await story(
        RefreshStory(),
        "If the refresh is refused, throw `sessionExpired`. Throw any other error unchanged. Either way, the store stays unchanged."
      ) {
        await $0.play(.call(count: 2), leadsTo: "a refresh with ada-1-refresh starts")
        await $0.play(.endRefresh(with: .failure(trouble)), leadsTo: "caller 1 receives \(error)", "caller 2 receives \(error)")
      }
    }
  }

  @Test("no caller joins a refresh that has ended")
  func refreshesAgain() async {
    await story(
      RefreshStory(),
      "Callers share a refresh only until it ends, however it ends. Later callers get what the store holds, or start another."
    ) {
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(.endRefresh(with: .failure(.offline)), leadsTo: "caller 1 receives URLError -1009")
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(
        .endRefresh(with: .renewed(keepingRefreshToken: true)), leadsTo: "ada-2 is stored", "caller 2 receives ada-2")
      await $0.play(.advance(900))
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(.endRefresh(with: .renewed()), leadsTo: "ada-3 is stored", "caller 3 receives ada-3")
    }
  }

  @Test("after a failed refresh, the next call starts a new refresh")
  func endsBeforeItsCallersContinue() async throws {
    // With a race, a few attempts pass by luck.
    for _ in 1...10 {
      let (refresher, store) = (AsyncCalls<String, Credentials>(to: "the refresher"), CredentialsStoreSpy(.expired))
      let sut = CredentialsProvider(store: store, refresher: StoryRefresher(calls: refresher), now: { ManualClock().date })

      let callers = (1...2).map { _ in
        Running {
          do { return try await sut.credentials() } catch { return try await sut.credentials() }
        }
      }
      await refresher.receives(1)
      await store.reads.receives(2)
      refresher.complete(0, with: .failure(URLError(.timedOut)))
      await refresher.receives(2)
      if refresher.count == 2 { refresher.complete(1, with: .success(.renewed)) }

      let rule = """
        A refresh failed, both callers called again, and one of them got the old failure. When a refresh ends, forget it before any \
        caller continues.
        """
      for caller in callers { _ = try await caller.outcome().expectSuccess(rule) }
    }
  }

  @Test("a canceled caller does not cancel a refresh that others wait for")
  func survivesACancellation() async {
    await each("canceled caller", in: 1...3) { canceled in
      await story(
        RefreshStory(), "The refresh belongs to all its callers. Run it in a task that no caller's cancellation reaches."
      ) {
        await $0.play(.call(count: 3), leadsTo: "a refresh with ada-1-refresh starts")
        await $0.play(.cancel(3 - canceled))
        let others = (1...3).filter { $0 != canceled }.map { "caller \($0) receives ada-2" }
        await $0.play(
          .endRefresh(with: .renewed()), leadsTo: "ada-2 is stored", "caller \(canceled) ends", others[0], others[1])
      }
    }
  }

  @Test("a refresh goes on after its only caller is canceled")
  func goesOnWithoutCallers() async {
    await story(
      RefreshStory(),
      "The server may already have replaced the refresh token. Let the refresh go on without callers, and store what it obtains."
    ) {
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(.cancel())
      await $0.play(.call())
      await $0.play(.endRefresh(with: .renewed()), leadsTo: "ada-2 is stored", "caller 1 ends", "caller 2 receives ada-2")
    }
  }

  @Test("after a sign-out, waiting callers get `signedOut`, whatever the refresh's result")
  func failsAfterTheSignOut() async {
    await each("error", in: [Trouble.refused, .offline]) { trouble in
      await story(RefreshStory(), "If the store no longer holds the credentials when the refresh fails, throw `signedOut`.") {
        await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
        await $0.play(.signOut)
        await $0.play(.endRefresh(with: .failure(trouble)), leadsTo: "caller 1 receives signedOut")
      }
    }
  }

  @Test("after another user signs in, callers do not join the old refresh")
  func servesTheNextUser() async {
    await story(
      RefreshStory(),
      """
      A refresh belongs to the credentials that it was started for. A new user cannot use it, and when it ends, it must not remove \
      the new user's refresh.
      """
    ) {
      await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
      await $0.play(.signIn(lifetime: -60))
      await $0.play(.call(), leadsTo: "a refresh with grace-1-refresh starts", "caller 1 receives signedOut")
      await $0.play(.call())
      await $0.play(
        .endRefresh(with: .renewed()), leadsTo: "grace-2 is stored", "caller 2 receives grace-2", "caller 3 receives grace-2")
    }
  }

  @Test("a user who signs out during a refresh stays signed out")
  func staysSignedOut() async {
    await each("sign-out at the last moment", in: [false, true]) { atTheLastMoment in
      await story(RefreshStory(), "`replace` compares and stores in one step. If it returns false, throw `signedOut`.") {
        await $0.play(.call(), leadsTo: "a refresh with ada-1-refresh starts")
        if !atTheLastMoment { await $0.play(.signOut) }
        await $0.play(.endRefresh(with: .renewed(), userLeaves: atTheLastMoment), leadsTo: "caller 1 receives signedOut")
      }
    }
  }
}
