import Given
import TestSupport
import Testing

import class TestSupport.Calls
import class TestSupport.ClosureClient
import typealias TestSupport.HTTPResult
import class TestSupport.Inbox
import enum TestSupport.Trouble

@testable import Exercise3

/// Screens with articles that share one client, and everything that can be observed of them.
final class ArticlesWorld {
  /// How a request ends.
  enum Ending: Sendable {
    case titles([String])
    case response(Int, String)
    case failure(Trouble)
  }

  private let leaks: LeakTracker
  private let calls = Calls<URLRequest, HTTPResult>(to: "the client")
  private var screens: [Screen] = []
  private let notes = Inbox<String>()

  init(_ leaks: LeakTracker) {
    self.leaks = leaks
  }

  var observed: [String] {
    calls.arguments.map { "the client receives \($0.httpMethod ?? "no method") \($0.url?.inStory ?? "no URL")" }
      + screens.flatMap(\.effects) + notes.values
  }

  /// The number of screens that the user has opened.
  var count: Int { screens.count }

  /// The indexes of the screens that the user has not left.
  var visible: [Int] { screens.indices.filter { screens[$0].controller != nil } }

  /// The indexes of the requests in flight.
  var unfinished: [Int] { calls.unfinished }

  /// The user opens a screen.
  ///
  /// - Parameters:
  ///   - path: The path and the query of the URL of its articles.
  ///   - ending: How its request ends before the client's `load` returns; `nil` if it ends later.
  /// - Returns: What has happened, as a sentence.
  func open(_ path: String, immediately ending: Ending?) async -> String {
    let number = screens.count + 1
    let url = URL(string: "https://example.com\(path)")!
    await perform("`viewDidLoad` of screen \(number)", on: .main) { [self] in
      let client = ClosureClient { [calls] request, completion in
        calls.receive(request, completion)
        if let ending { calls.complete(calls.count - 1, with: ending.result) }
      }
      let controller = leaks.track(ArticlesViewController(client: client, url: url))
      screens.append(Screen(number, controller))
      if calls.count >= number { notes.receive("screen \(number) sends a request before its view loads") }
      controller.loadViewIfNeeded()
    }
    let sentence = "The user opens screen \(number), for \(path)."
    return sentence + (ending.map { " The client completes with \($0.inWords) before its `load` returns." } ?? "")
  }

  /// A request ends.
  ///
  /// - Returns: What has happened, as a sentence.
  func end(_ index: Int, with ending: Ending, isOnMainQueue: Bool) async -> String {
    await perform("the completion of screen \(index + 1)", on: isOnMainQueue ? .main : .newBackgroundQueue) { [calls] in
      calls.complete(index, with: ending.result)
    }
    return "The request from screen \(index + 1) ends with \(ending.inWords), on \(isOnMainQueue ? "the main" : "another") queue."
  }

  /// The user leaves a screen.
  ///
  /// - Returns: What has happened, as a sentence.
  func leave(_ index: Int) async -> String {
    await perform("releasing screen \(index + 1)", on: .main) { [self] in leaveHere(index) }
    return "The user leaves screen \(index + 1)."
  }

  /// The user leaves a screen, on the current queue.
  func leaveHere(_ index: Int) { screens[index].leave() }
}

extension ArticlesWorld.Ending {
  /// What the user sees.
  var shown: String? {
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
