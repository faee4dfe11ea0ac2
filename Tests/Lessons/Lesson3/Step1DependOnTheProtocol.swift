import Given
import TestSupport
import Testing

import typealias TestSupport.HTTPResult

@testable import Exercise3

@Suite("Step 1: depend on the protocol", .oneAtATime)
struct Step1DependOnTheProtocol {
  private let url = URL(string: "https://example.com/articles?page=2")!

  @Test("the client is called once, in `viewDidLoad`")
  func sendsWhenTheViewLoads() async {
    let client = TestSupport.HTTPClientSpy()
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
    await each("titles", in: [["b", "a", "b"], ["only one"], []]) { titles in
      let sut = await screen(after: .status(200, "\(titles)"))

      #expect(sut.listView.rows == titles, "List all the titles that `Articles.titles` returns, in the same order.")
      #expect(sut.errorView.messages.isEmpty, "These titles are no error. Show none.")
    }
  }

  @Test("an error from the client is shown")
  func showsError() async {
    await each("error", in: SampleError.allCases) { sample in
      let sut = await screen(after: .failure(sample.error))

      #expect(
        sut.errorView.messages == [sample.error.localizedDescription],
        "Show the `localizedDescription` of any error, and show it once.")
      #expect(sut.errorView.message != nil, "The error is hidden again. Let the user read it.")
    }
  }

  @Test("an error is shown if the response cannot be read as articles")
  func showsUnreadableResponse() async {
    await each("status and body", in: [(500, #"["a"]"#), (201, #"["a"]"#), (200, "<html>"), (200, "")]) { status, body in
      let sut = await screen(after: .status(status, body))

      #expect(
        sut.errorView.messages == [Articles.Unreadable().localizedDescription] && sut.listView.rows.isEmpty,
        "`Articles.titles` throws an error for this response. Show it, as you show any other error.")
    }
  }

  @Test("a screen that the user has left is released")
  func isReleased() async {
    for result in [HTTPResult.status(200, #"["late"]"#), .failure(URLError(.timedOut))] {
      let client = TestSupport.HTTPClientSpy()
      await expectReleased("A request in flight should not retain a screen that the user has left. Capture `self` weakly.") {
        leaks in
        let sut = leaks.track(ArticlesViewController(client: client, url: url))
        sut.loadViewIfNeeded()
        await client.calls.receives(1)
      }
      client.calls.complete(with: result)

      await expectReleased("The request has ended, but the screen is still retained. Which stored closure captures `self`?") {
        $0.track(await screen(after: result))
      }
    }
  }

  @Test("a client may complete before its `load` returns, from memory")
  func worksWithAnImmediateClient() async {
    let sut = await screen(after: .status(200, #"["from memory"]"#), isImmediate: true)
    #expect(sut.listView.rows == ["from memory"], "The result arrived before `load` returned. Check what runs after the call.")

    let failed = await screen(after: .failure(URLError(.timedOut)), isImmediate: true)
    #expect(failed.errorView.message != nil, "The error arrived before `load` returned. Check what runs after the call.")
  }

  @Test("the list shows articles that `URLSessionHTTPClient` has loaded")
  func worksOverTheNetwork() async {
    let server = StubServer()
    server.respond(to: "/articles", with: .response(200, body: Data(#"["Around, not inside"]"#.utf8)))
    let sut = ArticlesViewController(client: URLSessionHTTPClient(session: server.session), url: server.url("/articles"))

    sut.loadViewIfNeeded()
    await eventually { !sut.listView.rows.isEmpty || !sut.errorView.messages.isEmpty }

    #expect(
      sut.listView.rows == ["Around, not inside"],
      "The screen should list what `URLSessionHTTPClient` has loaded. Have you changed it? Ours is in `Solutions/Lesson3`.")
  }

  @Test("each of hundreds of screens obeys these rules, whatever its client delivers")
  func weathersAStorm() async {
    var random = SeededRandom(seed: 3)
    await each("round", in: 1...300) { _ in
      let early = Locked<HTTPResult?>(nil)
      let client = TestSupport.HTTPClientSpy { _ in early.withLock { $0.take() } }
      var inFlight: [(index: Int, screen: ArticlesViewController?, url: URL, result: HTTPResult)] = []

      /// Checks a screen whose request has ended. A screen that the user has left is `nil`, and shows nothing anymore.
      func check(_ screen: ArticlesViewController?, _ url: URL, _ result: HTTPResult) async {
        let titles = Result { try Articles.titles(from: result.get().0, result.get().1) }
        let (rows, messages) = ((try? titles.get()) ?? [], titles.failure.map { [$0.localizedDescription] } ?? [])
        await naming(["result": result.inWordsWithBody]) {
          if let screen {
            await settled { screen.listView.rows == rows && screen.errorView.messages == messages }
            #expect(screen.listView.rows == rows, "List the titles that `Articles.titles` returns, and nothing after an error.")
            #expect(screen.errorView.messages == messages, "Show any error once, with its `localizedDescription`.")
            #expect(screen.errorView.message == messages.last, "The error is hidden again. Let the user read it.")
          }
          #expect(client.requests.count { $0.url == url } == 1, "Each screen loads its URL once, whatever the result is.")
        }
      }

      for number in 1...Int.random(in: 1...4, using: &random) {
        let url = URL(string: "https://example.com/articles?page=\(number)")!
        let result = HTTPResult.randomArticles(using: &random)
        let (isEarly, isLeft) = (Int.random(in: 0..<3, using: &random) == 0, Int.random(in: 0..<3, using: &random) == 0)
        early.withLock { $0 = isEarly ? result : nil }
        var screen: ArticlesViewController?
        await expectReleased("The user has left the screen, but it is retained. Which closure captures `self` strongly?") {
          let opened = ArticlesViewController(client: client, url: url)
          opened.loadViewIfNeeded()
          await client.calls.receives(number)
          if isLeft { $0.track(opened) } else { screen = opened }
        }
        if isEarly { await check(screen, url, result) } else { inFlight.append((number - 1, screen, url, result)) }
      }
      for (index, screen, url, result) in inFlight.shuffled(using: &random) {
        await client.calls.complete(index, with: result, on: Bool.random(using: &random) ? .main : .newBackgroundQueue)
        await check(screen, url, result)
      }
    }
  }

  /// Makes a screen, loads its view, and lets its one request end.
  private func screen(
    after result: HTTPResult, isImmediate: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ArticlesViewController {
    let client = TestSupport.HTTPClientSpy(responding: isImmediate ? { _ in result } : nil)
    let sut = ArticlesViewController(client: client, url: url)

    let hasReturned = await returns(on: .main) { sut.loadViewIfNeeded() }
    #expect(hasReturned, "`viewDidLoad` has not returned. Wait for nothing in it.", sourceLocation: sourceLocation)
    await client.calls.receives(1)
    if !isImmediate { client.calls.complete(with: result, sourceLocation: sourceLocation) }
    await settled { !sut.listView.rows.isEmpty || !sut.errorView.messages.isEmpty }

    #expect(client.requests.count == 1, "Call the client once, whatever the result.", sourceLocation: sourceLocation)
    return sut
  }
}

extension HTTPResult {
  /// Makes up what a request for articles gets: often titles, or almost some.
  fileprivate static func randomArticles(using random: inout SeededRandom) -> Self {
    let titles = "\([["only one"], [], ["b", "a", "b"], ["", "Zoo", "apple"]].randomElement(using: &random)!)"
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<3: return .status(200, titles)
    case 3: return .status(.status(using: &random), titles)
    case 4: return .status(200, ["", "<html>", #"{"articles": ["a"]}"#, "[1]", "null"].randomElement(using: &random)!)
    default: return .failure(SampleError.random(using: &random).error)
    }
  }
}
