import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 4: whose refresh is it?", .oneAtATime)
struct Step4WhoseRefreshIsIt {
  @Test("a canceled caller does not affect the other callers")
  func survivesACancellation() async throws {
    try await each("canceled caller", in: [0, 1, 49]) { canceled in
      let scene = RefreshScene(.expired)

      let calls = await scene.waitingCalls(50, of: scene.makeSUT())
      calls[canceled].cancel()
      scene.refresher.calls.completesEachCall(with: .success(.next))
      let outcomes = try await outcomes(of: calls.enumerated().filter { $0.offset != canceled }.map(\.element))

      #expect(
        scene.refresher.calls.cancelled.isEmpty,
        "The refresh was canceled with one of its callers. Run it in an unstructured task."
      )
      #expect(scene.refresher.calls.count == 1, "The refresher should be called once, even if a caller is canceled.")
      #expect(
        outcomes.filter { $0 == "next-token" }.count == 49,
        "Only caller \(canceled) was canceled, so every other caller should get the new credentials.")
    }
  }

  @Test("a refresh goes on after its only caller is canceled")
  func goesOnWithoutCallers() async throws {
    let scene = RefreshScene(.expired)
    let queue = OneQueue()

    // Nothing but this call retains the provider.
    let call = Running(on: queue) { [sut = scene.makeSUT()] in try await sut.credentials() }
    await scene.refresher.calls.receives(1)
    call.cancel()
    await queue.settled()
    await scene.settledAfterCancellation()
    #expect(
      scene.refresher.calls.cancelled.isEmpty,
      "The refresh was canceled with its only caller. Let it go on: the server may already have replaced the refresh token."
    )
    scene.refresher.calls.complete(with: .success(.next))
    await scene.store.writes.receives(1)

    #expect(
      scene.store.credentials == .next,
      "The new credentials should be stored, even if every caller was canceled. Otherwise the user has to sign in again.")
    _ = try await call.outcome("A canceled call should end, either immediately or when the refresh ends.")
  }

  @Test("a new caller joins a refresh whose only caller was canceled")
  func joinsARefreshWithoutCallers() async throws {
    let scene = RefreshScene(.expired)
    let (sut, queue) = (scene.makeSUT(), OneQueue())

    let first = Running(on: queue) { try await sut.credentials() }
    await scene.refresher.calls.receives(1)
    first.cancel()
    await queue.settled()
    await scene.settledAfterCancellation()
    let second = Running(on: queue) { try await sut.credentials() }
    await queue.settled()
    scene.refresher.calls.completesEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: [second])

    #expect(
      scene.refresher.calls.count == 1,
      "The first caller was canceled, but its refresh is still in flight. The second caller should join it, not start another.")
    #expect(outcomes == ["next-token"], "The second caller should get the new credentials.")
    _ = try await first.outcome("A canceled call should end, either immediately or when the refresh ends.")
  }

  @Test("unchanged: a call from a canceled task ends")
  func endsInACanceledTask() async throws {
    try await each("credentials", in: [Credentials.valid, .expired]) { credentials in
      let scene = RefreshScene(credentials)
      scene.refresher.calls.completesEachCall(with: .success(.next))

      let call = Running { [sut = scene.makeSUT()] in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await sut.credentials()
      }

      _ = try await call.outcome("The task was canceled before it called the provider, and the call never ended.")
    }
  }

  @Test("a user who signs out during a refresh stays signed out")
  func staysSignedOut() async throws {
    try await each("end of the refresh", in: RefreshEnd.allCases) { end in
      let scene = RefreshScene(.expired)

      let calls = await scene.waitingCalls(2, of: scene.makeSUT())
      scene.store.credentials = nil
      scene.refresher.calls.completesEachCall(with: end.result(.next))
      let outcomes = try await outcomes(of: calls)

      #expect(
        outcomes == ["signedOut", "signedOut"],
        "The user signed out during the refresh, so every waiting caller should get `signedOut`, however the refresh ends.")
      #expect(scene.store.credentials == nil, "The user signed out during the refresh, so the store should stay empty.")
    }
  }

  @Test("a user who signs out as the refresh ends stays signed out")
  func staysSignedOutAtTheLastMoment() async throws {
    let scene = RefreshScene(.expired)

    let calls = await scene.waitingCalls(2, of: scene.makeSUT())
    scene.store.letTheUserSignOut()
    scene.refresher.calls.completesEachCall(with: .success(.next))
    let outcomes = try await outcomes(of: calls)

    #expect(
      scene.store.stored == nil,
      "The user had signed out, but the new credentials were stored anyway. Use `replace`: it compares and stores in one step.")
    #expect(
      outcomes == ["signedOut", "signedOut"],
      "If `replace` returns false, the user is no longer the same: every waiting caller should get `signedOut`.")
  }

  @Test("after a sign-out during a refresh, the same credentials are refreshed again")
  func refreshesAgainAfterASignOut() async throws {
    try await each("end of the refresh", in: RefreshEnd.allCases) { end in
      let scene = RefreshScene(.expired)
      let sut = scene.makeSUT()

      let calls = await scene.waitingCalls(1, of: sut)
      scene.store.credentials = nil
      scene.refresher.calls.complete(with: end.result(.next))
      _ = try await outcomes(of: calls)
      scene.store.credentials = .expired
      let outcome = try await scene.refresh(sut, 1, .success(.renewed))

      #expect(
        word(for: outcome) == "new-token",
        "The first refresh ended after the user had signed out. It has ended all the same: do not let later callers join it.")
    }
  }

  @Test("a user who signs in during a refresh stays signed in")
  func respectsTheNewUser() async throws {
    try await each("end of the refresh", in: RefreshEnd.allCases) { end in
      let scene = RefreshScene(.expired)
      let newUser = Credentials(
        accessToken: "new-user", refreshToken: "new-user-refresh", expiresAt: scene.clock.date.addingTimeInterval(3600))

      let calls = await scene.waitingCalls(2, of: scene.makeSUT())
      scene.store.credentials = newUser
      scene.refresher.calls.completesEachCall(with: end.result(.next))
      let outcomes = try await outcomes(of: calls)

      #expect(
        scene.store.credentials == newUser,
        "A new user signed in during the refresh, so the store should still hold the new user's credentials.")
      #expect(
        Set(outcomes).isSubset(of: ["signedOut", "new-user"]),
        "The previous user has signed out, so a waiting caller should get `signedOut` or the new user's credentials.")
    }
  }

  @Test("calls made after another user signs in get that user's credentials")
  func servesTheNewUser() async throws {
    try await each("end of the refresh", in: RefreshEnd.allCases, "credentials", in: NewUsersCredentials.allCases) {
      end, credentials in
      let scene = RefreshScene(.expired)
      let sut = scene.makeSUT()
      let (queue, firstIsOver) = (OneQueue(), Inbox<Void>())

      _ = Running(on: queue) {
        defer { firstIsOver.receive(()) }
        return try await sut.credentials()
      }
      await scene.refresher.calls.receives(1)
      scene.store.credentials = Credentials(
        accessToken: "new-user", refreshToken: "new-user-refresh",
        expiresAt: scene.clock.date.addingTimeInterval(credentials == .expired ? 0 : 3600))
      var calls = [Running(on: queue) { try await sut.credentials() }]
      await queue.settled()
      scene.refresher.calls.complete(0, with: end.result())
      // The second call may start its refresh now or later.
      if credentials == .expired { await Patience.briefly { await scene.refresher.calls.receives(2) } }
      await firstIsOver.receives(1)
      calls.append(Running(on: queue) { try await sut.credentials() })
      await queue.settled()
      scene.refresher.calls.completesEachCall(with: .success(.next))
      let outcomes = try await outcomes(of: calls)

      #expect(
        outcomes == (credentials == .expired ? ["next-token", "next-token"] : ["new-user", "new-user"]),
        "Calls made after a new user signs in should get that user's credentials. The previous user's refresh should not affect them."
      )
      #expect(
        scene.refresher.calls.arguments == (credentials == .expired ? ["refresh-1", "new-user-refresh"] : ["refresh-1"]),
        "Each user's expired credentials should be refreshed once. The end of one user's refresh should not end the other's.")
    }
  }

  @Test("the provider is released after a refresh")
  func isReleased() async throws {
    try await each("end of the refresh", in: RefreshEnd.allCases) { end in
      let scene = RefreshScene(.expired)

      try await expectReleased("The provider should be released after its refreshes. Check what your tasks and closures retain.")
      {
        leaks in
        let sut = scene.makeSUT()
        leaks.track(sut as AnyObject)
        _ = try await scene.refresh(sut, 0, end.result(.next))
      }
    }
  }
}

/// The credentials of a user who signs in during a refresh.
enum NewUsersCredentials: CaseIterable {
  case valid
  case expired
}
