import Given
import TestSupport
import Testing

@testable import Exercise3

@MainActor
@Suite("Step 2: depend on the protocol", .patientOnce)
struct Step2DependOnTheProtocol {
  private let url = URL(string: "https://example.com/articles")!

  @Test("nothing is sent until somebody wants to see the screen, and then one request for the articles")
  func asksWhenLoaded() throws {
    let (sut, client) = makeSUT()

    #expect(client.requests.isEmpty, "Nobody wants to see the screen yet: there is nothing to send in `init`.")
    sut.loadViewIfNeeded()

    #expect(client.requests.count == 1, "Ask the client for the articles in `viewDidLoad`, once.")
    let request = try #require(client.requests.first, "The client was never asked.")
    #expect(request.url == url, "The articles are at the URL that the controller was given.")
    #expect(request.httpMethod == "GET", "Articles are only read: the method is GET.")
  }

  @Test("the titles are shown in the order in which they come", arguments: [["b", "a", "c"], ["only one"], []])
  func showsTitles(titles: [String]) throws {
    let (sut, client) = makeSUT()

    sut.loadViewIfNeeded()
    client.calls.complete(with: .success((try JSONEncoder().encode(titles), response(200))))

    #expect(sut.listView.rows == titles, "Show the titles as `Articles.titles` reads them out of the answer.")
    #expect(sut.errorView.messages.isEmpty, "The articles came: there is no error to show.")
  }

  @Test("an error of the client's is shown")
  func showsError() {
    let (sut, client) = makeSUT()

    sut.loadViewIfNeeded()
    client.calls.complete(with: .failure(HTTPClientError.permanentlyBlocked))

    #expect(
      sut.errorView.messages == ["This account has been blocked."],
      "Show the error's `localizedDescription`, once: it is the message made for the user.")
    #expect(sut.listView.rows.isEmpty, "There are no articles to show.")
  }

  @Test("an error of the network's is shown as well", arguments: [URLError.Code.notConnectedToInternet, .timedOut])
  func showsNetworkError(code: URLError.Code) {
    let (sut, client) = makeSUT()

    sut.loadViewIfNeeded()
    client.calls.complete(with: .failure(URLError(code)))

    #expect(
      sut.errorView.messages == [URLError(code).localizedDescription],
      "Every error has a `localizedDescription`: show it, whoever made the error.")
  }

  @Test(
    "an answer without articles is shown as an error",
    arguments: [(500, #"["Around"]"#), (404, ""), (200, "<html>"), (200, #"{"articles": []}"#)])
  func showsUnreadableAnswer(status: Int, body: String) {
    let (sut, client) = makeSUT()

    sut.loadViewIfNeeded()
    client.calls.complete(with: .success((Data(body.utf8), response(status))))

    #expect(
      sut.errorView.messages == ["The articles cannot be shown right now."],
      "`Articles.titles` throws for such an answer: show its `localizedDescription`, as for any other error.")
  }

  @Test("a client that answers at once fills the screen at once")
  func worksWithAnImmediateClient() {
    let memory = ClosureClient { _, completion in completion(.status(200, #"["from memory"]"#)) }
    let sut = ArticlesViewController(client: memory, url: url)

    sut.loadViewIfNeeded()

    #expect(sut.listView.rows == ["from memory"], "Any `HTTPClient` will do, also one that answers before `load` returns.")
  }

  @Test("your client of step 1 fills it as well")
  func worksWithYourClient() async throws {
    let server = StubServer()
    server.answer("/articles", with: .articles)
    let client = AnnouncingClient(decoratee: URLSessionHTTPClient(session: server.session))
    let sut = ArticlesViewController(client: client, url: server.url("/articles"))

    sut.loadViewIfNeeded()
    try #require(client.requests.values.count == 1, "The controller never asked your client, or more than once.")
    let hasAnswered = await client.answers.receives(1)

    #expect(hasAnswered, "Your client of step 1 never called its completion.")
    #expect(sut.listView.rows == ["Around, not inside"], "The client of step 1 is an `HTTPClient` like any other.")
  }

  @Test("a screen that the user has left is not kept for a slow answer")
  func letsGoOfTheScreen() async {
    let client = HTTPClientSpy()

    await expectReleased("The completion keeps the controller alive until the client answers. Capture it weakly.") { leaks in
      leaks.track(ArticlesViewController(client: client, url: url)).loadViewIfNeeded()
    }

    // The answer comes all the same, and must do no harm.
    client.calls.complete(with: .failure(HTTPClientError.signedOut))
  }

  private func makeSUT() -> (ArticlesViewController, HTTPClientSpy) {
    let client = HTTPClientSpy()
    return (ArticlesViewController(client: client, url: url), client)
  }

  private func response(_ status: Int) -> HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)!
  }
}

/// Says when its decoratee's answer has been dealt with.
private struct AnnouncingClient: HTTPClient {
  let decoratee: any HTTPClient
  let requests = Inbox<URLRequest>()
  let answers = Inbox<Void>()

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    requests.receive(request)
    decoratee.load(request) { result in
      completion(result)
      answers.receive(())
    }
  }
}
