import Given
import TestSupport
import Testing

import class TestSupport.ClosureClient
import class TestSupport.Inbox
import enum TestSupport.SampleError
import class TestSupport.StubServer
import func TestSupport.settled

@testable import Exercise3

@Suite("Step 1: depend on the protocol", .oneAtATime)
struct Step1DependOnTheProtocol {
  @Test("the client is called once, in `viewDidLoad`")
  func sendsWhenTheViewLoads() async {
    let client = TestSupport.HTTPClientSpy()
    let url = URL(string: "https://example.com/articles?page=2")!
    let sut = ArticlesViewController(client: client, url: url)

    #expect(client.requests.isEmpty, "The client was called before the view loaded. Call it in `viewDidLoad`, not in `init`.")
    sut.loadViewIfNeeded()
    await client.calls.receives(1)
    #expect(
      client.requests.compactMap(\.url) == [url], "Call the client once, in `viewDidLoad`, with a request for the screen's URL.")
    #expect(client.requests.first?.httpMethod == "GET", "Load the articles with a GET request.")
  }

  @Test("the list shows the articles' titles in the order of the response")
  func showsTitles() async {
    await story(ArticlesWorld(), "List all the titles that `Articles.titles` returns, in the same order.") {
      await $0.open(leadsToAllOf: ["the client receives GET /articles"])
      await $0.end(with: .titles(["b", "a", "b"]), leadsToAllOf: [#"screen 1 lists ["b", "a", "b"]"#])
    }
  }

  @Test("an error from the client is shown")
  func showsError() async {
    await each("error", in: SampleError.allCases) { trouble in
      await story(ArticlesWorld(), "Show the `localizedDescription` of any error once, and do not load again.") {
        await $0.open(leadsToAllOf: ["the client receives GET /articles"])
        await $0.end(
          with: .failure(trouble), leadsToAllOf: ["screen 1 shows the error \"\(trouble.error.localizedDescription)\""])
      }
    }
  }

  @Test("an error is shown if the response cannot be read as articles")
  func showsUnreadableResponse() async {
    await each("status and body", in: [(500, #"["Around"]"#), (599, ""), (200, "<html>"), (200, "")]) { status, body in
      await story(
        ArticlesWorld(), "`Articles.titles` throws an error for this response. Show it, as you show any other error."
      ) {
        await $0.open(leadsToAllOf: ["the client receives GET /articles"])
        await $0.end(
          with: .response(status, body),
          leadsToAllOf: [#"screen 1 shows the error "The articles cannot be shown right now.""#])
      }
    }
  }

  @Test("a screen that the user has left is released")
  func isReleasedBeforeTheResult() async {
    await story(
      ArticlesWorld(), "A request in flight should not retain a screen that the user has left. Capture `self` weakly."
    ) {
      await $0.open(leadsToAllOf: ["the client receives GET /articles"])
      await $0.leave(leadsToAllOf: ["screen 1 is released"])
      await $0.end(with: .titles(["late"]))
    }
  }

  @Test("the list shows articles from an in-memory client")
  func worksWithAnImmediateClient() async {
    await story(ArticlesWorld(), "A client may call the completion before its `load` returns. Check what runs after the call.") {
      await $0.open(
        immediately: .titles(["from memory"]),
        leadsToAllOf: ["the client receives GET /articles", #"screen 1 lists ["from memory"]"#])
    }
  }

  @Test("the list shows articles that `URLSessionHTTPClient` has loaded")
  func worksOverTheNetwork() async {
    let server = StubServer()
    server.respond(to: "/articles", with: .articles)
    let (client, results) = (URLSessionHTTPClient(session: server.session), Inbox<Void>())
    let sut = ArticlesViewController(
      client: ClosureClient { request, completion in
        client.load(request) {
          completion($0)
          results.receive(())
        }
      }, url: server.url("/articles"))

    sut.loadViewIfNeeded()
    await results.receives(1)
    await settled { !sut.listView.rows.isEmpty }

    #expect(
      sut.listView.rows == ["Around, not inside"],
      "The screen should list what `URLSessionHTTPClient` has loaded. Have you changed it? Ours is in `Solutions/Lesson3`.")
  }
}
