import Given
import TestSupport
import Testing

@testable import Exercise3

/// A story about a user who opens and leaves screens with articles, and about the client that loads them.
final class ArticlesStory: Story {
  /// How a request ends.
  enum Ending: Sendable {
    case titles([String])
    case response(Int, String)
    case failure(Trouble)
  }

  enum Event: Sendable {
    case open(URL, immediately: Ending?)
    case end(Int, Ending, isOnMainQueue: Bool)
    case leave(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let url = ["/articles", "/articles?page=2", "/search?q=a%20b#top"].randomElement(using: &random)!
    let ending: Ending =
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3: .titles([["b", "a", "b"], ["only one"], ["", "Zoo", "apple"], []].randomElement(using: &random)!)
      case 3: .response([201, 204, 304, 401, 403, 404, 500].randomElement(using: &random)!, #"["hidden"]"#)
      case 4: .response(200, ["", "<html>", #"{"articles": ["a"]}"#, "[1, 2]", "null"].randomElement(using: &random)!)
      default: .failure(Trouble.random(using: &random))
      }
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<3: return .open(URL(string: "https://example.com\(url)")!, immediately: nil)
    case 3..<5: return .open(URL(string: "https://example.com\(url)")!, immediately: ending)
    case 5..<9: return .end(position, ending, isOnMainQueue: Bool.random(using: &random))
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  private let calls = Calls<URLRequest, HTTPResult>(to: "the client")
  private var screens: [ArticlesScreen] = []
  private var model = ArticlesModel()
  private let notes = Inbox<String>()

  init(using random: inout SeededRandom) {}

  var setting: [String] { ["All screens share one client."] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let url, let ending): await open(url, ending)
    case .end(let position, let ending, let isOnMainQueue): await end(position, ending, isOnMainQueue)
    case .leave(let position): await leave(position)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    calls.arguments.map { "the client receives \($0.httpMethod ?? "") \($0.url?.absoluteString ?? "")" } + notes.values
      + screens.enumerated().map { index, screen in
        screen.isReleased ? "screen \(index + 1) is released" : "screen \(index + 1) shows \(screen.shown)"
      }
  }

  func release() -> String? {
    for (index, screen) in screens.enumerated() {
      model.leave(index)
      screen.controller = nil
    }
    return screens.isEmpty ? nil : "The user leaves all screens."
  }

  func nextEnding() -> Event? {
    calls.unfinished.isEmpty
      ? nil : .end(0, calls.unfinished.count.isMultiple(of: 2) ? .titles(["late"]) : .failure(.timedOut), isOnMainQueue: false)
  }

  private func open(_ url: URL, _ ending: Ending?) async -> String? {
    let number = screens.count + 1
    model.open(url)
    if let ending { model.end(number - 1, with: ending) }
    await run("`viewDidLoad` of screen \(number)", on: .main) { [self] in
      let client = ClosureClient { [calls] request, completion in
        calls.receive(request, completion)
        if let ending { calls.complete(calls.count - 1, with: ending.result) }
      }
      let screen = ArticlesScreen(client: client, url: url)
      leaks.track(screen.controller!)
      screens.append(screen)
      if calls.count >= number { notes.receive("screen \(number) sends a request before its view loads") }
      screen.controller?.loadViewIfNeeded()
    }
    let sentence = "The user opens screen \(number), for \(url.absoluteString)."
    return sentence + (ending.map { " The client completes with \($0.inWords) before its `load` returns." } ?? "")
  }

  private func end(_ position: Int, _ ending: Ending, _ isOnMainQueue: Bool) async -> String? {
    let open = calls.unfinished
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    model.end(index, with: ending)
    await run("The completion of screen \(index + 1)", on: isOnMainQueue ? .main : .background) { [calls] in
      calls.complete(index, with: ending.result)
    }
    return "The request from screen \(index + 1) ends with \(ending.inWords), on \(isOnMainQueue ? "the main" : "another") queue."
  }

  private func leave(_ position: Int) async -> String? {
    let open = screens.indices.filter { screens[$0].controller != nil }
    guard !open.isEmpty else { return nil }
    let index = open[position % open.count]
    model.leave(index)
    await run("Releasing screen \(index + 1)", on: .main) { [self] in screens[index].controller = nil }
    return "The user leaves screen \(index + 1)."
  }

  private func run(_ name: String, on queue: DispatchQueue, _ work: @escaping () -> Void) async {
    if !(await returns(on: queue, work)) { notes.receive("\(name) has not returned") }
  }
}

extension ArticlesStory.Ending {
  fileprivate var result: HTTPResult {
    switch self {
    case .titles(let titles): .status(200, String(decoding: (try? JSONEncoder().encode(titles)) ?? Data(), as: UTF8.self))
    case .response(let status, let body): .status(status, body)
    case .failure(let failure): .failure(failure.error)
    }
  }

  fileprivate var inWords: String {
    switch self {
    case .titles(let titles): "the titles \(titles)"
    case .response(let status, let body): "status \(status) and body \(body.isEmpty ? "\"\"" : body)"
    case .failure(let failure): failure.inWords
    }
  }
}

/// A screen of the learner's, and its views, which survive it.
private final class ArticlesScreen {
  var controller: ArticlesViewController?
  private weak var released: ArticlesViewController?
  private let views: (list: ListView, error: ErrorView)

  init(client: any HTTPClient, url: URL) {
    let controller = ArticlesViewController(client: client, url: url)
    (self.controller, released, views) = (controller, controller, (controller.listView, controller.errorView))
  }

  var isReleased: Bool { released == nil }

  var shown: String {
    let isHidden = views.error.message != views.error.messages.last
    return "\(views.list.rows), messages: \(views.error.messages)" + (isHidden ? ", and the error view is hidden" : "")
  }
}

/// What the page promises, as plain values.
private struct ArticlesModel {
  private struct Screen {
    let url: URL
    var rows: [String] = []
    var messages: [String] = []
    var isOpen = true
  }

  private var screens: [Screen] = []

  /// Everything that may be observed.
  var effects: [String] {
    screens.map { "the client receives GET \($0.url.absoluteString)" }
      + screens.enumerated().map { index, screen in
        screen.isOpen
          ? "screen \(index + 1) shows \(screen.rows), messages: \(screen.messages)" : "screen \(index + 1) is released"
      }
  }

  mutating func open(_ url: URL) {
    screens.append(Screen(url: url))
  }

  mutating func end(_ index: Int, with ending: ArticlesStory.Ending) {
    switch ending {
    case .titles(let titles): screens[index].rows = titles
    case .response: screens[index].messages = [Articles.Unreadable().localizedDescription]
    case .failure(let failure): screens[index].messages = [failure.error.localizedDescription]
    }
  }

  mutating func leave(_ index: Int) {
    screens[index].isOpen = false
  }
}
