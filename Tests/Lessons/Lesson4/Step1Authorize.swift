import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult

@testable import Exercise4

@Suite("Step 1: authorize", .oneAtATime)
struct Step1Authorize {
  @Test("every request carries the stored access token")
  func addsToken() async {
    let client = HTTPClientSpy()
    let sut = RefreshCredentialsHTTPClientDecorator(
      decoratee: client, store: CredentialsStoreSpy(.valid), refresher: CredentialsRefresherSpy(), now: { ManualClock().date })

    sut.load(.named("articles")) { _ in }
    await client.calls.receives(1)

    #expect(
      client.requests.map(\.authorization) == ["Bearer valid-token"],
      "Send each request once, with the header `Authorization: Bearer <access token>`.")
  }

  @Test("the token replaces any `Authorization` header that the request already has")
  func replacesTheCallersToken() async {
    await each("header", in: ["Bearer callers-token", "Basic callers-password"]) { header in
      let client = HTTPClientSpy()
      let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(.valid))
      var request = URLRequest.named("articles")
      request.setValue(header, forHTTPHeaderField: "Authorization")

      sut.load(request) { _ in }
      await client.calls.receives(1)

      #expect(
        client.requests.map(\.authorization) == ["Bearer valid-token"],
        "The request should carry no token other than the stored one: set the header instead of adding to it.")
    }
  }

  @Test("when the user has signed out, a request fails without being sent")
  func needsCredentials() async throws {
    let (client, store, results) = (HTTPClientSpy(), CredentialsStoreSpy(.valid), Inbox<HTTPResult>())
    let sut = makeSUT(decoratee: client, store: store)

    sut.load(.named("before")) { _ in }
    await client.calls.receives(1)
    store.stored = nil
    sut.load(.named("after"), completion: results.receive)

    let result = try await results.only("If the store holds no credentials, deliver `signedOut`. Nothing was delivered.")
    result.expectFailure(HTTPClientError.signedOut, "If the store holds no credentials, deliver `signedOut`.")
    #expect(client.requests.map(\.path) == ["/before"], "If the store holds no credentials, send nothing.")
  }

  @Test("the credentials store is read for every request")
  func readsTheStoreEachTime() async {
    let (client, store) = (HTTPClientSpy(), CredentialsStoreSpy(.valid))
    let sut = makeSUT(decoratee: client, store: store)

    for (number, credentials) in [Credentials.valid, .renewed, .newUser].enumerated() {
      store.stored = credentials
      sut.load(.named("\(number)")) { _ in }
      await client.calls.receives(number + 1)
    }

    #expect(
      client.requests.map(\.sentToken) == ["valid-token", "new-token", "new-user"],
      "The credentials can change between two requests. Read the store on every request.")
  }

  @Test("unchanged: nothing in the request changes, apart from `Authorization`")
  func forwardsTheRequest() async throws {
    let client = HTTPClientSpy()
    let sut = makeSUT(decoratee: client, store: CredentialsStoreSpy(.valid))

    sut.load(.elaborate) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The request was not sent. Forward it to the decoratee.")
    expectUnchanged(sent, from: .elaborate, except: "Authorization")
  }

  @Test("unchanged: a result other than a 401 is delivered")
  func deliversTheResult() async {
    let results = [200, 204, 304, 403, 404, 500, 503].map { HTTPResult.status($0, "body") } + [.failure(URLError(.timedOut))]
    for result in results {
      let delivered = Inbox<String>()
      let sut = makeSUT(decoratee: ClosureClient { $1(result) }, store: CredentialsStoreSpy(.valid))

      sut.load(.named("articles")) { delivered.receive($0.inWordsWithBody) }
      await delivered.receives(1)

      #expect(
        delivered.values == [result.inWordsWithBody],
        "Only a 401 means that the server rejects the token. Deliver any other response, and any error, unchanged.")
    }
  }
}
