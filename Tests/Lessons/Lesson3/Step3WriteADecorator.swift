import Given
import TestSupport
import Testing

@testable import Exercise3

@Suite("Step 3: write a decorator", .oneAtATime)
struct Step3WriteADecorator {
  @Test("a header is added if the request does not have it already")
  func addsHeaders() async {
    await story(
      .adds(["X-App-Version": "7.1", "Accept-Language": "de-DE"]),
      rule: "If a request lacks one of your headers, add it. Forward the request, deliver its result, and change nothing else."
    ) {
      await $0.load(
        .named("articles"),
        leadsTo: #"the client receives GET /articles, with accept-language: "de-DE" and x-app-version: "7.1""#)
      await $0.load(
        .new,
        leadsTo: """
          the client receives PATCH /drafts, body: "a title", timeoutInterval: 7.0, with accept-language: "de-DE" and \
          x-app-version: "7.1"
          """)
      await $0.respond(200, leadsTo: #"/articles receives 200 "the body of /articles""#)
    }
  }

  @Test("a header that the request already has is kept")
  func neverOverwrites() async {
    await story(
      .adds(["X-App-Version": "7.1", "Accept-Language": "de-DE"]),
      rule: "Keep a header that the caller has set. Decide for each header separately whether the request lacks it."
    ) {
      await $0.load(
        .articles(with: "Accept-Language"),
        leadsTo: #"the client receives GET /articles, with accept-language: "fr-CA" and x-app-version: "7.1""#)
    }
  }

  @Test("header names are not case-sensitive")
  func ignoresCase() async {
    await each(
      "the decorator's header name", in: ["Accept-Language", "accept-language", "ACCEPT-LANGUAGE"],
      "the caller's header name", in: ["accept-language", "Accept-Language"]
    ) { name, callersName in
      await story(
        .adds([name: "de-DE", "X-App-Version": "7.1"]),
        rule: """
          `accept-language` and `Accept-Language` are the same header. Compare names without regard to case: even `URLRequest` \
          changes the case of some names, so the request below may have another spelling than the caller's.
          """
      ) {
        await $0.load(
          .articles(with: callersName),
          leadsTo: #"the client receives GET /articles, with accept-language: "fr-CA" and x-app-version: "7.1""#)
      }
    }
  }

  @Test("if two decorators add the same header, the outer decorator wins")
  func nests() async {
    await story(
      .adds(["X-Inner": "1", "X-Both": "inner"]), .adds(["X-Outer": "2", "X-Both": "outer"]),
      rule:
        "When a request reaches the inner decorator, it already has the headers of the outer one. Keep them, and add only what is missing."
    ) {
      await $0.load(
        .named("articles"), leadsTo: #"the client receives GET /articles, with x-both: "outer" and x-inner: "1" and x-outer: "2""#
      )
    }
  }

  @Test("a decorator written by someone else works between two of yours")
  func composes() async {
    await story(
      .adds(["X-App-Version": "7.1"]), .countsRequests, .adds(["Accept-Language": "de-DE"]),
      rule: "Wrap any `HTTPClient`, whatever its type. Pass each request on once, and each result back once."
    ) {
      await $0.load(
        .named("articles"),
        leadsTo: "one more request is in flight",
        #"the client receives GET /articles, with accept-language: "de-DE" and x-app-version: "7.1""#)
      await $0.respond(
        200, leadsTo: "one request less is in flight", #"/articles receives 200 "the body of /articles""#)
    }
  }
}

extension URLRequest {
  /// A request in which the caller has set a header.
  fileprivate static func articles(with name: String) -> URLRequest {
    var request = URLRequest.named("articles")
    request.setValue("fr-CA", forHTTPHeaderField: name)
    return request
  }

  /// A request with more than a URL.
  fileprivate static var new: URLRequest {
    var request = URLRequest.named("drafts")
    request.httpMethod = "PATCH"
    request.httpBody = Data("a title".utf8)
    request.timeoutInterval = 7
    return request
  }
}
