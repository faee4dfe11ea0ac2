import Given
import TestSupport
import Testing

@Suite("Step 2: write a decorator", .oneAtATime)
struct Step2WriteADecorator {
  @Test("a header is added if the request does not have it already")
  func addsHeaders() async {
    let (client, results) = (TestSupport.HTTPClientSpy(), Inbox<HTTPResult>())

    addingHeaders(["X-App-Version": "7.1"], to: client).load(.elaborate, completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .status(404, "the body"))
    await results.receives(1)

    let sent = client.requests.first
    #expect(sent?.value(forHTTPHeaderField: "X-App-Version") == "7.1", "If a request lacks one of your headers, add it.")
    #expect(sent?.httpMethod == "PATCH" && sent?.timeoutInterval == 7, "Forward the rest of the request unchanged.")
    #expect(
      results.values.map(\.text) == ["404 the body"],
      "Deliver the result once, unchanged, even if nothing else retains the decorator during the request.")
  }

  @Test("a header that the request already has is kept")
  func neverOverwrites() async {
    await story(
      HeadersWorld(.adds(["X-App-Version": "7.1", "Accept-Language": "de-DE"])),
      "Keep a header that the caller has set. Decide for each header separately whether the request lacks it."
    ) {
      await $0.load(
        .with(["Accept-Language": "fr-CA"]),
        leadsToAllOf: [#"the client receives GET /articles, with accept-language: "fr-CA" and x-app-version: "7.1""#])
    }
  }

  @Test("header names are not case-sensitive")
  func ignoresCase() async {
    await each(
      "the decorator's header name", in: ["Accept-Language", "accept-language", "ACCEPT-LANGUAGE"],
      "the caller's header name", in: ["Accept-Language", "accept-language"]
    ) { name, callersName in
      await story(
        HeadersWorld(.adds([name: "de-DE", "X-App-Version": "7.1"])),
        """
        `accept-language` and `Accept-Language` are the same header. Compare names without regard to case: even `URLRequest` \
        changes the case of some names, so the request below may have another spelling than the caller's.
        """
      ) {
        await $0.load(
          .with([callersName: "fr-CA"]),
          leadsToAllOf: [#"the client receives GET /articles, with accept-language: "fr-CA" and x-app-version: "7.1""#])
      }
    }
  }

  @Test("if two decorators add the same header, one of them wins")
  func nests() async {
    await story(
      HeadersWorld(.adds(["X-Inner": "1", "X-Both": "inner"]), .adds(["X-Outer": "2", "X-Both": "outer"])),
      "When a request reaches the inner decorator, it already has the headers of the outer one. Keep them, and add only what is missing."
    ) {
      await $0.load(
        leadsToAllOf: [#"the client receives GET /articles, with x-both: "outer" and x-inner: "1" and x-outer: "2""#])
    }
  }

  @Test("a decorator written by someone else works between two of yours")
  func composes() async {
    await story(
      HeadersWorld(.adds(["X-App-Version": "7.1"]), .countsRequests, .adds(["Accept-Language": "de-DE"])),
      "Wrap any `HTTPClient`, whatever its type. Pass each request on once, and each result back once."
    ) {
      let headers = #"accept-language: "de-DE" and x-app-version: "7.1""#
      await $0.load(
        leadsToAllOf: ["one more request is in flight", "the client receives GET /articles, with \(headers)"])
      await $0.load(
        leadsToAllOf: ["one more request is in flight", "the client receives GET /comments, with \(headers)"])
      await $0.end(
        with: .success(200),
        leadsToAllOf: ["one request less is in flight", #"/articles receives 200 "the body of /articles""#])
      await $0.end(
        with: .failure(.timedOut),
        leadsToAllOf: ["one request less is in flight", "/comments receives \(SampleError.timedOut.inWords)"])
    }
  }
}
