import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

@testable import Exercise4

@Suite("Step 6: when the server says 401 (extra)", .oneAtATime)
struct Step6SendOnceMore {
  @Test("after a 401, credentials are refreshed and the request is sent again")
  func refreshesAndRetries() async {
    await each("status of the second response", in: [200, 401, 403, 100, 599]) { status in
      let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<HTTPResult>())
      let sut = RefreshCredentialsHTTPClientDecorator(
        decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher, now: { ManualClock().date })

      sut.load(.elaborate, completion: results.receive)
      await client.calls.receives(1)
      client.calls.complete(0, with: .status(401))
      await refresher.calls.receives(1)
      #expect(refresher.calls.count == 1, "A 401 means that the server rejects the token. Refresh the credentials.")
      refresher.calls.complete(with: .success(.renewed))
      await client.calls.receives(2)
      #expect(
        client.requests.map(\.sentToken) == ["valid-token", "new-token"], "Send the request once more, with the new token.")
      for sent in client.requests { expectUnchanged(sent, from: .elaborate, except: "Authorization") }
      client.calls.complete(1, with: .status(status, "the second"))
      await results.receives(1)

      #expect(
        results.values.map(\.text) == ["\(status) the second"],
        "Send a request twice at most. Deliver the second result unchanged, even if it is another 401.")
    }
  }

  @Test("a token that a refresh has obtained can be rejected, too")
  func refreshesWhatARefreshHasObtained() async {
    let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher)

    for (number, name) in [(1, "articles"), (2, "comments")] {
      sut.load(.named(name)) { _ in }
      await client.calls.receives(2 * number - 1)
      client.calls.complete(2 * number - 2, with: .status(401))
      await refresher.calls.receives(number)
      #expect(
        refresher.calls.arguments == Array(["refresh-1", "refresh-2"].prefix(number)),
        "The server rejects the stored token, even if a refresh has just obtained it. Refresh the credentials.")
      guard refresher.calls.count == number else { return }
      refresher.calls.complete(number - 1, with: .success(number == 1 ? .renewed : .newUser))
      await client.calls.receives(2 * number)
    }
  }

  @Test("a 401 for a token that has been replaced starts no refresh")
  func usesTheNewerToken() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.valid), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    sut.load(.named("articles")) { _ in }
    await client.calls.receives(1)
    store.stored = .renewed
    client.calls.complete(0, with: .status(401))
    await eventually { client.calls.count == 2 || refresher.calls.count > 0 }

    #expect(
      client.requests.map(\.sentToken) == ["valid-token", "new-token"] && refresher.calls.count == 0,
      "The rejected token is no longer the stored one. Send the request once more with the stored token.")
  }

  @Test("one refresh serves all rejected requests, and new requests wait for it")
  func sharesOneRefresh() async {
    await each("next refresh token", in: ["refresh-2", "refresh-1"]) { nextRefreshToken in
      let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.valid), CredentialsRefresherSpy())
      let sut = makeSUT(decoratee: client, store: store, refresher: refresher)
      var renewed = Credentials.renewed
      renewed.refreshToken = nextRefreshToken

      for _ in 1...3 { sut.load(.named("articles")) { _ in } }
      await client.calls.receives(3)
      client.calls.complete(0, with: .status(401))
      await refresher.calls.receives(1)
      client.calls.complete(1, with: .status(401))
      let reads = store.reads.values.count
      sut.load(.named("new")) { _ in }
      await store.reads.receives(reads + 1)
      #expect(client.requests.count == 3, "While the refresh runs, new requests wait, too, although their token has not expired.")
      refresher.calls.complete(with: .success(renewed))
      await client.calls.receives(6)
      client.calls.complete(2, with: .status(401))
      await eventually { client.calls.count == 7 || refresher.calls.count > 1 }

      #expect(
        refresher.calls.count == 1 && client.requests.dropFirst(3).map(\.sentToken) == Array(repeating: "new-token", count: 4),
        "One refresh serves every request that carried the rejected token, even one whose 401 arrives later, and even equal ones."
      )
    }
  }

  @Test("after a 401, the request fails if the refresh fails")
  func failsWithTheRefresh() async {
    await each("refresh error", in: [SampleError.refused, .offline]) { trouble in
      let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<String>())
      let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher)

      sut.load(.named("articles")) { results.receive($0.inWords) }
      await client.calls.receives(1)
      client.calls.complete(0, with: .status(401))
      await refresher.calls.receives(1)
      refresher.calls.complete(with: .failure(trouble.error))
      await results.receives(1)

      #expect(
        results.values == [trouble.isRefusal ? "sessionExpired" : trouble.inWords] && client.requests.count == 1,
        "If the refresh after a 401 fails, deliver its error, and don't send the request again.")
    }
  }

  @Test("a request whose body is a stream is not sent again")
  func sendsAStreamOnce() async {
    await each("a refresh is under way", in: [false, true]) { isRefreshing in
      let (client, refresher, results) = (HTTPClientSpy(), CredentialsRefresherSpy(), Inbox<String>())
      let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(.valid), refresher: refresher)
      var request = URLRequest.named("upload")
      request.httpBodyStream = InputStream(data: Data("a film".utf8))

      sut.load(request) { results.receive($0.inWords) }
      sut.load(.named("articles")) { _ in }
      await client.calls.receives(2)
      if isRefreshing {
        client.calls.complete(1, with: .status(401))
        await refresher.calls.receives(1)
      }
      client.calls.complete(0, with: .status(401))
      await results.receives(1)

      #expect(
        results.values == ["401"] && client.requests.count == 2 && refresher.calls.count == (isRefreshing ? 1 : 0),
        "A body stream can be read only once, so this request cannot be sent again. Deliver its 401 immediately, and start no refresh for it."
      )
    }
  }

  @Test("after a 401, a user who has signed out gets `signedOut`")
  func looksWhetherAnyoneIsSignedIn() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.valid), CredentialsRefresherSpy())
    let (sut, results) = (makeSUT(decoratee: client, store: store, refresher: refresher), Inbox<String>())

    sut.load(.named("articles")) { results.receive($0.inWords) }
    await client.calls.receives(1)
    store.stored = nil
    client.calls.complete(0, with: .status(401))
    await results.receives(1)

    #expect(
      results.values == ["signedOut"] && client.requests.count == 1 && refresher.calls.count == 0,
      "When the 401 arrives, the store is empty. Deliver `signedOut`, as in step 1, and send nothing.")
  }

  @Test("after a 401, a newer token that has expired is refreshed first")
  func refreshesANewerToken() async {
    let (client, store, refresher) = (HTTPClientSpy(), CredentialsStoreSpy(.valid), CredentialsRefresherSpy())
    let sut = makeSUT(decoratee: client, store: store, refresher: refresher)

    sut.load(.named("articles")) { _ in }
    await client.calls.receives(1)
    store.stored = .expired
    client.calls.complete(0, with: .status(401))
    await refresher.calls.receives(1)
    let rule: Comment = "When the 401 arrives, the store holds a newer token, which has expired. Refresh it first, as in step 2."
    #expect(refresher.calls.count == 1, rule)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)

    #expect(client.requests.map(\.sentToken) == ["valid-token", "new-token"], rule)
  }

  @Test("rejected requests are sent again even if the app releases the decorator")
  func staysAliveAfterA401() async {
    let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy())
    let rule: Comment =
      "Once the app has released the decorator, only the request keeps it alive. With a weak `self`, the second attempt is lost."

    makeSUT(decoratee: client, store: StoreRelay(to: CredentialsStoreSpy(.valid)), refresher: refresher)
      .load(.named("articles")) { _ in }
    await client.calls.receives(1)
    client.calls.complete(with: .status(401))
    await refresher.calls.receives(1)
    #expect(refresher.calls.count == 1, rule)
    refresher.calls.complete(with: .success(.renewed))
    await client.calls.receives(2)

    #expect(client.requests.map(\.sentToken) == ["valid-token", "new-token"], rule)
  }

  @Test("a 401 and a refresh on another thread cause no second refresh")
  func leavesNoGapAfterA401() async {
    // By luck, a mistake may stay hidden in one round.
    for _ in 1...75 {
      let (client, refresher) = (HTTPClientSpy(), CredentialsRefresherSpy { _ in .success(.renewed) })
      let interruption = Interruption()
      let sut = makeSUT(decoratee: client, store: interruption.store(.valid), refresher: refresher)
      for name in ["first", "second"] { sut.load(.named(name)) { _ in } }
      await client.calls.receives(2)

      interruption.during(.read) { onAnotherThread { client.calls.complete(1, with: .status(401)) } }
      let hasReturned = await returns { client.calls.complete(0, with: .status(401)) }
      await client.calls.receives(4)

      let isRight = hasReturned && refresher.calls.count == 1 && client.requests.count == 4
      #expect(
        isRight,
        "Two threads have a 401 for the same token. Read the store, compare it with the rejected token, and look for a refresh in one step. Refreshes: \(refresher.calls.count) instead of 1. Requests that were sent: \(client.requests.count) of 4."
      )
      guard isRight else { return }
    }
  }

  @Test("no lock is held while a request is sent again")
  func mayBeCalledBack() async {
    await each("token that is stored when the 401 arrives", in: [Credentials.valid, .renewed]) { stored in
      let (store, results) = (CredentialsStoreSpy(.valid), Inbox<String>())
      let owner = Locked<RefreshCredentialsHTTPClientDecorator?>(nil)
      let client = ClosureClient { request, completion in
        if request.path == "/first", request.sentToken != "new-token" {
          store.stored = stored
          return completion(.status(401))
        }
        if let sut = owner.withLock({ $0.take() }) {
          onAnotherThread(for: 10) { sut.load(.named("second")) { _ in results.receive("second") } }
        }
        completion(.status(200))
      }
      let sut = makeSUT(decoratee: client, store: store, refresher: CredentialsRefresherSpy { _ in .success(.renewed) })
      owner.withLock { $0 = sut }

      let hasReturned = await returns {
        sut.load(.named("first")) { _ in results.receive("first") }
      }
      #expect(
        hasReturned,
        "`load` never returned. While the request was sent again, another thread loaded a second one: hold no lock then.")
      await results.receives(2)
      #expect(
        results.values.sorted() == ["first", "second"],
        "While a request was sent again, another thread loaded a second one. Each of them needs one result.")
    }
  }
}
