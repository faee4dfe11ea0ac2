import Given
import TestSupport
import Testing

import typealias Given.Response
import class TestSupport.ManualClock
import struct TestSupport.Running
import enum TestSupport.SampleError

@testable import Exercise9

@Suite("Step 9: send once more after a 401 (extra)", .oneAtATime)
struct Step9SendOnceMore {
  @Test("after a 401, a request is sent again with a new token")
  func sendsOnceMore() async throws {
    let (store, refresher) = (CredentialsStoreSpy(.valid), AsyncCredentialsRefresherSpy())
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let provider = CredentialsProvider(store: store, refresher: refresher, now: { ManualClock().date })
    let sut = composed(
      [
        authorizing(with: { try await provider.credentials() }),
        reauthorizing(with: { try await provider.credentials(replacing: $0) }),
      ], around: { try await client.receive($0) })

    let request = Running { try await sut(.named("articles")) }
    await client.receives(1)
    client.complete(0, with: .success(response(401)))
    await refresher.calls.receives(1)
    #expect(refresher.calls.count == 1, "The server has rejected the stored token. Refresh it, although it has not expired.")
    refresher.calls.complete(with: .success(.renewed))
    await client.receives(2)
    #expect(client.arguments.map(\.sentToken) == ["valid-token", "new-token"], "Send the request once more, with the new token.")
    client.complete(1, with: .success(response(201)))
    let result = try await request.outcome().expectSuccess("The second request has a response. Return it.")

    #expect(result.head.statusCode == 201, "Return the response to the second request, and not the 401.")
    #expect(client.arguments.allSatisfy { $0.url == URLRequest.named("articles").url }, "Send the same request, to the same URL.")
  }

  @Test("the second result is the last, even if it is a 401")
  func sendsNoThirdRequest() async {
    let rule = "Send a request twice at most, and pass on the second result, even if it is another 401."
    await each("status", in: [401, 200, 403, 500]) { status in
      await story(ReauthorizingWorld(), rule) {
        await $0.send(method: "POST", leadsToAllOf: [sent("POST", "ada-1")])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["the provider is called with ada-1"])
        await $0.provide(.success("ada-2"), for: "/articles", leadsToAllOf: [sent("POST", "ada-2")])
        await $0.respond(to: "/articles", status: status, leadsToAllOf: ["/articles receives \(status) (attempt 2)"])
      }
    }
    await each("error", in: SampleError.allCases) { trouble in
      await story(ReauthorizingWorld(), rule) {
        await $0.send(leadsToAllOf: [sent("GET", "ada-1")])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["the provider is called with ada-1"])
        await $0.provide(.success("ada-2"), for: "/articles", leadsToAllOf: [sent("GET", "ada-2")])
        await $0.fail("/articles", with: trouble, leadsToAllOf: ["/articles receives \(trouble.inWords)"])
      }
    }
  }

  @Test("without new credentials, their error is thrown, and nothing is sent")
  func needsCredentials() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(
        ReauthorizingWorld(), "If `credentials` throws, throw that error, and not the 401. Don't send the request again."
      ) {
        await $0.send(leadsToAllOf: [sent("GET", "ada-1")])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["the provider is called with ada-1"])
        await $0.provide(.failure(trouble), for: "/articles", leadsToAllOf: ["/articles receives \(trouble.inWords)"])
      }
    }
  }

  @Test("unchanged: any other result is passed on")
  func passesTheRestOn() async {
    let rule = "Only a 401 means that the server rejects the token. Pass on any other response, and any error."
    await each("status", in: [200, 304, 400, 403, 407, 500, 503]) { status in
      await story(ReauthorizingWorld(), rule) {
        await $0.send(leadsToAllOf: [sent("GET", "ada-1")])
        await $0.respond(to: "/articles", status: status, leadsToAllOf: ["/articles receives \(status) (attempt 1)"])
      }
    }
    await each("error", in: SampleError.allCases) { trouble in
      await story(ReauthorizingWorld(), rule) {
        await $0.send(leadsToAllOf: [sent("GET", "ada-1")])
        await $0.fail("/articles", with: trouble, leadsToAllOf: ["/articles receives \(trouble.inWords)"])
      }
    }
  }

  @Test("unchanged: streams and requests without a bearer token are sent once")
  func sendsTheRestOnce() async {
    await each("`Authorization`", in: [nil, "Basic QWRhOjE="]) { (field: String?) in
      await story(ReauthorizingWorld(), "The request carries no bearer token, so no token was rejected. Return the 401.") {
        await $0.send(
          authorization: field, leadsToAllOf: ["GET /articles\(field.map { ", with authorization: \"\($0)\"" } ?? "") is sent"])
        await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["/articles receives 401 (attempt 1)"])
      }
    }
    await story(ReauthorizingWorld(), "A body that is a stream can be read only once. Return the 401 of such a request.") {
      await $0.send(
        method: "PUT", isStreaming: true,
        leadsToAllOf: ["PUT /articles, body: a stream, with authorization: \"Bearer ada-1\" is sent"])
      await $0.respond(to: "/articles", status: 401, leadsToAllOf: ["/articles receives 401 (attempt 1)"])
    }
  }

  @Test("requests with the same rejected token share a refresh")
  func sharesTheRefresh() async {
    await story(
      RefreshWorld(lifetime: 600), "The stored token is rejected. Every caller that needs another one shares the refresh."
    ) {
      await $0.reject("ada-1", leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.reject("ada-1")
      await $0.cancel(1)
      await $0.reject("ada-1")
      await $0.advance(by: 600)
      await $0.call()
      await $0.refreshSucceeds(
        "ada-1-refresh",
        leadsToAllOf: [
          "ada-2 is stored", "caller 1 ends", "caller 2 receives ada-2", "caller 3 receives ada-2", "caller 4 receives ada-2",
        ])
    }
  }

  @Test("a token that has been replaced starts no refresh")
  func usesTheStoredToken() async {
    await story(
      RefreshWorld(lifetime: 600),
      "The rejected token is no longer the stored one. Return the stored credentials, and refresh them only if they have expired."
    ) {
      await $0.reject("ada-1", leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshSucceeds(
        "ada-1-refresh", keepingRefreshToken: true, leadsToAllOf: ["ada-2 is stored", "caller 1 receives ada-2"])
      await $0.reject("ada-1", leadsToAllOf: ["caller 2 receives ada-2"])
      await $0.reject("ada-2", leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      await $0.refreshSucceeds("ada-1-refresh", leadsToAllOf: ["ada-3 is stored", "caller 3 receives ada-3"])
      await $0.advance(by: 900)
      await $0.reject("ada-2", leadsToAllOf: ["a refresh with ada-3-refresh starts"])
    }
  }

  @Test("a refresh after a 401 fails like any other")
  func failsLikeAnyOther() async {
    await each("failure", in: [SampleError.refused, .offline]) { trouble in
      await story(RefreshWorld(lifetime: 600), "After a 401, the refresh follows the rules of step 2.") {
        await $0.reject("ada-1", leadsToAllOf: ["a refresh with ada-1-refresh starts"])
        await $0.reject("ada-1")
        let error = trouble.isRefusal ? "sessionExpired" : trouble.inWords
        await $0.refreshFails(
          "ada-1-refresh", with: trouble, leadsToAllOf: ["caller 1 receives \(error)", "caller 2 receives \(error)"])
        await $0.reject("ada-1", leadsToAllOf: ["a refresh with ada-1-refresh starts"])
      }
    }
  }

  @Test("the middleware obeys all the rules in random sequences of events")
  func tellsStoriesAboutRequests() async {
    await expectNoStoryGoesWrong(count: 300, of: ReauthorizingWorld.randomEvents) { _ in ReauthorizingWorld() }
  }

  @Test("the provider obeys all the rules if the server rejects tokens")
  func tellsStoriesAboutTokens() async {
    await expectNoStoryGoesWrong(count: 400, of: RefreshWorld.randomEventsWithRejections) {
      RefreshWorld(lifetime: [600, 0.3, 0].randomElement(using: &$0)!)
    }
  }

  /// What a story says about a request that is sent with a token.
  private func sent(_ method: String, _ token: String) -> String {
    "\(method) /articles, with authorization: \"Bearer \(token)\" is sent"
  }
}
