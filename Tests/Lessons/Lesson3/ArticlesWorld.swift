import Given
import TestSupport
import Testing

import class TestSupport.Calls
import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import struct TestSupport.RandomEvent
import enum TestSupport.SampleError
import class TestSupport.Scenario
import struct TestSupport.SeededRandom

@testable import Exercise3

/// A user who opens and leaves screens with articles, and the client that loads them.
final class ArticlesWorld: Scenario {
  /// How a request ends.
  enum Ending {
    case titles([String])
    case response(Int, String)
    case failure(SampleError)
  }

  private let calls = Calls<URLRequest, HTTPResult>(to: "the client")
  /// Screens and requests have the same indexes.
  private var screens: [Screen] = []
  private let notes = Inbox<String>()
  /// What the page promises.
  private var effects: [String] = []

  init() {
    super.init(setting: "All screens share one client.")
  }

  /// The user opens a screen.
  ///
  /// - Parameters:
  ///   - path: The path and the query of the URL of its articles.
  ///   - ending: How its request ends before the client's `load` returns; `nil` if it ends later.
  func open(
    _ path: String = "/articles", immediately ending: Ending? = nil, leadsToAllOf listed: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    let number = screens.count + 1
    effects.append("the client receives GET \(path)")
    if let ending { expect(ending, on: number - 1) }
    let words = ending.map { " The client completes with \($0.inWords) before its `load` returns." } ?? ""
    await event("The user opens screen \(number), for \(path).\(words)", leadsToAllOf: listed, at: place) {
      await perform("`viewDidLoad` of screen \(number)", on: .main) { [self] in
        let client = ClosureClient { [calls] request, completion in
          calls.receive(request, completion)
          if let ending { calls.complete(calls.count - 1, with: ending.result) }
        }
        let url = URL(string: "https://example.com\(path)")!
        let controller = leaks.track(ArticlesViewController(client: client, url: url))
        screens.append(Screen(number, controller))
        if calls.count >= number { notes.receive("screen \(number) sends a request before its view loads") }
        controller.loadViewIfNeeded()
      }
    }
  }

  /// A request ends.
  ///
  /// - Parameters:
  ///   - position: Its position among those in flight.
  ///   - ending: How it ends.
  ///   - isOnMainQueue: Whether the client calls the completion on the main queue.
  func end(
    _ position: Int = 0, with ending: Ending, isOnMainQueue: Bool = true, leadsToAllOf listed: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = calls.unfinished.at(position) else { return impossible(at: place) }
    if visible.contains(index) { expect(ending, on: index) }
    let queue = isOnMainQueue ? "the main" : "another"
    await event(
      "The request from screen \(index + 1) ends with \(ending.inWords), on \(queue) queue.", leadsToAllOf: listed, at: place
    ) {
      await perform("the completion of screen \(index + 1)", on: isOnMainQueue ? .main : .newBackgroundQueue) { [calls] in
        calls.complete(index, with: ending.result)
      }
    }
  }

  /// The user leaves a screen.
  ///
  /// - Parameter position: Its position among those that the user has not left.
  func leave(
    _ position: Int = 0, leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = visible.at(position) else { return impossible(at: place) }
    effects.append("screen \(index + 1) is released")
    await event("The user leaves screen \(index + 1).", leadsToAllOf: listed, at: place) {
      await perform("releasing screen \(index + 1)", on: .main) { [self] in screens[index].leave() }
    }
  }

  override func observed() async -> [String] {
    calls.arguments.map { "the client receives \($0.httpMethod ?? "no method") \($0.url?.inStory ?? "no URL")" }
      + screens.flatMap(\.effects) + notes.values
  }

  override var predicted: [String]? { effects }

  override func release() async {
    let visible = visible
    if visible.isEmpty { return }
    effects += visible.map { "screen \($0 + 1) is released" }
    await event("The user leaves all screens.") {
      for index in visible { screens[index].leave() }
    }
  }

  override func nextEnding() -> (() async -> Void)? {
    let count = calls.unfinished.count
    return count == 0
      ? nil : { await self.end(with: count.isMultiple(of: 2) ? .titles(["late"]) : .failure(.timedOut), isOnMainQueue: false) }
  }

  override var leakMessage: String {
    "The user has left the screen, but something still retains it. Look for a stored closure that captures `self` strongly."
  }

  /// The indexes of the screens that the user has not left.
  private var visible: [Int] { screens.indices.filter { screens[$0].controller != nil } }

  private func expect(_ ending: Ending, on index: Int) {
    if let shown = ending.shown { effects.append("screen \(index + 1) \(shown)") }
  }
}

extension ArticlesWorld {
  /// What can happen in a random story.
  static var randomEvents: [RandomEvent<ArticlesWorld>] {
    [
      RandomEvent(5) { world, random in
        let isImmediate = Int.random(in: 0..<5, using: &random) > 2
        await world.open(paths.randomElement(using: &random)!, immediately: isImmediate ? .random(using: &random) : nil)
      },
      RandomEvent(4) { world, random in
        await world.end(
          .random(in: 0..<9, using: &random), with: .random(using: &random), isOnMainQueue: .random(using: &random))
      },
      RandomEvent(2) { world, random in await world.leave(.random(in: 0..<9, using: &random)) },
    ]
  }

  private static let paths = ["/articles", "/articles?page=2", "/search?q=a%20b#top"]
}

extension ArticlesWorld.Ending {
  fileprivate static func random(using random: inout SeededRandom) -> Self {
    switch Int.random(in: 0..<6, using: &random) {
    case 0..<3: .titles([["only one"], [], ["b", "a", "b"], ["", "Zoo", "apple"]].randomElement(using: &random)!)
    case 3: .response(max(201, .status(using: &random)), #"["hidden"]"#)
    case 4: .response(200, ["", "<html>", #"{"articles": ["a"]}"#, "[1, 2]", "null"].randomElement(using: &random)!)
    default: .failure(SampleError.random(using: &random))
    }
  }

  /// What the user sees.
  fileprivate var shown: String? {
    switch self {
    case .titles(let titles): titles.isEmpty ? nil : "lists \(titles)"
    case .response: "shows the error \"\(Articles.Unreadable().localizedDescription)\""
    case .failure(let trouble): "shows the error \"\(trouble.error.localizedDescription)\""
    }
  }

  fileprivate var result: HTTPResult {
    switch self {
    case .titles(let titles): .status(200, String(decoding: (try? JSONEncoder().encode(titles)) ?? Data(), as: UTF8.self))
    case .response(let status, let body): .status(status, body)
    case .failure(let trouble): .failure(trouble.error)
    }
  }

  fileprivate var inWords: String {
    switch self {
    case .titles(let titles): "the titles \(titles)"
    case .response(let status, let body): "status \(status) and body \(body.isEmpty ? "\"\"" : body)"
    case .failure(let trouble): trouble.inWords
    }
  }
}

extension URL {
  /// The URL without the host of the stories.
  fileprivate var inStory: String {
    let host = "https://example.com"
    return absoluteString.hasPrefix(host) ? String(absoluteString.dropFirst(host.count)) : absoluteString
  }
}

/// A screen of the learner's, and its views, which survive it.
private final class Screen {
  private(set) var controller: ArticlesViewController?
  private weak var released: ArticlesViewController?
  private let number: Int
  private let views: (list: ListView, error: ErrorView)
  /// What the user has seen on the screen before leaving it.
  private var seen: [String]?

  init(_ number: Int, _ controller: ArticlesViewController) {
    (self.number, self.controller, released) = (number, controller, controller)
    views = (controller.listView, controller.errorView)
  }

  func leave() {
    (seen, controller) = (shown, nil)
  }

  /// What has happened on the screen.
  var effects: [String] {
    ((seen ?? shown) + (released == nil ? ["is released"] : [])).map { "screen \(number) \($0)" }
  }

  private var shown: [String] {
    (views.list.rows.isEmpty ? [] : ["lists \(views.list.rows)"]) + views.error.messages.map { "shows the error \"\($0)\"" }
      + (views.error.message == views.error.messages.last ? [] : ["hides its error"])
  }
}
