import Given
import TestSupport
import Testing

@testable import Exercise3

@MainActor
@Suite("Step 2: depend on the protocol", .oneAtATime)
struct Step2DependOnTheProtocol {
  private let url = URL(string: "https://example.com/articles")!

  @Test("one GET request is sent when the view loads")
  func sendsWhenTheViewLoads() throws {
    let (sut, client) = makeSUT()

    #expect(client.requests.isEmpty, "A request was sent before the view loaded. Send it in `viewDidLoad`, not in `init`.")
    sut.loadViewIfNeeded()

    #expect(client.requests.count == 1, "Loading the view should send one request. Call the client in `viewDidLoad`.")
    let request = try #require(client.requests.first, "No request was sent. Call the client in `viewDidLoad`.")
    #expect(request.url == url, "The request should be for the controller's URL. Pass it on unchanged.")
    #expect(request.httpMethod == "GET", "The request's method should be GET, the default of a `URLRequest`.")
  }

  @Test("the titles are shown in the order given")
  func showsTitles() async throws {
    try await each("titles", in: [["b", "a", "c"], ["only one"], []]) { titles in
      let (sut, client) = makeSUT()

      sut.loadViewIfNeeded()
      client.calls.complete(with: .success((try JSONEncoder().encode(titles), response(200))))
      await settled { sut.listView.rows == titles }

      #expect(sut.listView.rows == titles, "The list should show the titles that `Articles.titles` returns, in the same order.")
      #expect(sut.errorView.messages.isEmpty, "The titles were readable, so the error view should show no message.")
    }
  }

  @Test("the error view shows the message of the client's error")
  func showsError() async {
    await each("error", in: Trouble.allCases) { trouble in
      let (sut, client) = makeSUT()

      sut.loadViewIfNeeded()
      client.calls.complete(with: .failure(trouble.error))
      await settled { !sut.errorView.messages.isEmpty }

      #expect(
        sut.errorView.messages == [trouble.error.localizedDescription],
        "The error view should show the error's `localizedDescription` once, for any kind of error.")
      #expect(sut.listView.rows.isEmpty, "There are no titles to show. Leave the list empty.")
      #expect(client.requests.count == 1, "An error should not cause another request. Call the client once, in `viewDidLoad`.")
    }
  }

  @Test("an error is shown if the response cannot be parsed as articles")
  func showsUnreadableResponse() async {
    await each("status and body", in: [(500, #"["Around"]"#), (404, ""), (200, "<html>"), (200, #"{"articles": []}"#)]) {
      status, body in
      let (sut, client) = makeSUT()

      sut.loadViewIfNeeded()
      client.calls.complete(with: .success((Data(body.utf8), response(status))))
      await settled { !sut.errorView.messages.isEmpty }

      #expect(
        sut.errorView.messages == ["The articles cannot be shown right now."],
        "`Articles.titles` throws for this response. Show the error's `localizedDescription`, like any other error's.")
    }
  }

  @Test("the list is filled even if the client completes immediately")
  func worksWithAnImmediateClient() async {
    let memory = ClosureClient { _, completion in completion(.status(200, #"["from memory"]"#)) }
    let sut = ArticlesViewController(client: memory, url: url)

    sut.loadViewIfNeeded()
    await settled { !sut.listView.rows.isEmpty }

    #expect(
      sut.listView.rows == ["from memory"],
      "The list should show the titles, even if the client completes immediately. Check what runs after the call to `load`.")
  }

  @Test("your client from step 1 fills the list")
  func worksWithYourClient() async throws {
    let server = StubServer()
    server.respond(to: "/articles", with: .articles)
    let client = AnnouncingClient(decoratee: URLSessionHTTPClient(session: server.session))
    let sut = ArticlesViewController(client: client, url: server.url("/articles"))

    sut.loadViewIfNeeded()
    try #require(client.requests.values.count == 1, "Loading the view should send one request. Call the client in `viewDidLoad`.")
    let hasCompleted = await client.results.receives(1)
    await settled { !sut.listView.rows.isEmpty }

    #expect(hasCompleted, "Your client from step 1 never called its completion. Run the tests of step 1 first.")
    #expect(sut.listView.rows == ["Around, not inside"], "The list should show the titles that your client from step 1 delivers.")
  }

  @Test("the controller can be released while the client is still working")
  func isReleasedBeforeTheResult() async {
    let client = HTTPClientSpy()

    await expectReleased("The completion retains the controller until the result arrives. Capture `self` weakly.") { leaks in
      leaks.track(ArticlesViewController(client: client, url: url)).loadViewIfNeeded()
    }

    // A result for a controller that is gone must do no harm.
    client.calls.complete(with: .failure(HTTPClientError.signedOut))
  }

  @Test("the controller can be released after the result has arrived")
  func isReleasedAfterTheResult() async {
    await each("body", in: [#"["Around"]"#, "<html>"]) { body in
      let client = HTTPClientSpy()

      await expectReleased(
        "The controller is still retained after the result has arrived. Look for a stored closure that captures `self` strongly."
      ) { leaks in
        let sut = leaks.track(ArticlesViewController(client: client, url: url))
        sut.loadViewIfNeeded()
        client.calls.complete(with: .status(200, body))
        await settled { !sut.listView.rows.isEmpty || !sut.errorView.messages.isEmpty }
      }
    }
  }

  private func makeSUT() -> (ArticlesViewController, HTTPClientSpy) {
    let client = HTTPClientSpy()
    return (ArticlesViewController(client: client, url: url), client)
  }

  private func response(_ status: Int) -> HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)!
  }
}

/// A client that announces each result after its decoratee's caller has received it.
private struct AnnouncingClient: HTTPClient {
  let decoratee: any HTTPClient
  let requests = Inbox<URLRequest>()
  let results = Inbox<Void>()

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.receive(request)
    decoratee.load(request) { result in
      completion(result)
      results.receive(())
    }
  }
}
