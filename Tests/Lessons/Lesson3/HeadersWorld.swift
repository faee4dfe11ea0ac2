import Given
import TestSupport
import Testing

/// A decorator in a story.
enum Layer {
  /// The learner's, with the values of its headers, by name.
  case adds([String: String])
  /// One that the learner has not written.
  case countsRequests

  fileprivate var inWords: String {
    guard case .adds(let headers) = self else { return "counts the requests in flight" }
    let fields = headers.map { "\($0): \"\($1)\"" }.sorted().joined(separator: " and ")
    return "adds \(fields.isEmpty ? "nothing" : fields)"
  }
}

/// Decorators around a client, and everything that can be observed of them.
final class HeadersWorld {
  /// How a request ends: with a response that has a certain status, or with a trouble.
  typealias Ending = Result<Int, Trouble>

  /// The decorators, one sentence for each.
  let setting: [String]
  private let calls: Calls<URLRequest, HTTPResult>
  private let effects = Inbox<String>()
  /// How the next request ends, if it ends before the client's `load` returns.
  private let immediateEnding = Locked<Ending?>(nil)
  private var sut: (any HTTPClient)?

  /// - Parameters:
  ///   - layers: The decorators. The first is the innermost one.
  ///   - leaks: What has to be released at the end.
  init(_ layers: [Layer], _ leaks: LeakTracker) {
    setting = layers.enumerated().map { "\($0 == 0 ? "A decorator" : "Another decorator, around the last one,") \($1.inWords)." }
    calls = Calls(to: "the client") { [effects, immediateEnding] request in
      effects.receive("the client receives \(request.inWords)")
      return immediateEnding.withLock { $0.take() }?.result(for: request.path)
    }
    sut = layers.reduce(leaks.track(ClosureClient(calls.receive), as: "the client") as any HTTPClient) {
      [effects] client, layer in
      switch layer {
      case .adds(let headers):
        addingHeaders(headers, to: client)
      case .countsRequests:
        ActivityHTTPClientDecorator(decoratee: client) {
          effects.receive($0 > 0 ? "one more request is in flight" : "one request less is in flight")
        }
      }
    }
  }

  var observed: [String] { effects.values }

  /// The indexes of the requests in flight.
  var unfinished: [Int] { calls.unfinished }

  var isReleased: Bool { sut == nil }

  /// The app loads a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - ending: How it ends before the client's `load` returns; `nil` if it ends later.
  ///   - next: The path of another request, which the completion loads.
  /// - Returns: What has happened, as a sentence.
  func load(_ request: URLRequest, immediately ending: Ending?, then next: String?) async -> String {
    let path = request.path
    immediateEnding.withLock { $0 = ending }
    // Without a next request, the completion must not retain the decorator.
    let loadNext = next.map { [effects, sut] next in
      { sut?.load(.story(next)) { effects.receive($0.received(for: next)) } }
    }
    await perform("the app's call to `load`") { [effects, sut] in
      sut?.load(request) { result in
        effects.receive(result.received(for: path))
        loadNext?()
      }
    }
    return "The app loads \(request.told)\(next.map { ", and \($0) as soon as that request ends" } ?? "")."
      + (ending.map { " The client completes with \($0.result(for: path).inWords) before its `load` returns." } ?? "")
  }

  /// A request ends.
  ///
  /// - Returns: What has happened, as a sentence.
  func end(_ index: Int, with ending: Ending, isOnMainQueue: Bool) async -> String {
    let path = path(of: index)
    await perform("the client's completion", on: isOnMainQueue ? .main : .newBackgroundQueue) { [calls] in
      calls.complete(index, with: ending.result(for: path))
    }
    let queue = isOnMainQueue ? "the main queue" : "another queue"
    return "The client completes \(path) with \(ending.result(for: path).inWords), on \(queue)."
  }

  func path(of index: Int) -> String { calls.arguments[index].path }

  /// The app releases the decorators.
  ///
  /// - Returns: What has happened, as a sentence.
  func release() -> String {
    sut = nil
    return "The app releases its decorators. Only requests in flight still need them."
  }
}

extension HeadersWorld.Ending {
  /// The result. The body of a response says what it responds to.
  func result(for path: String) -> HTTPResult {
    switch self {
    case .success(let status): .status(status, "the body of \(path)")
    case .failure(let trouble): .failure(trouble.error)
    }
  }
}

extension HTTPResult {
  /// The result, as the completion of a request receives it: `/articles receives 200 "the body of /articles"`.
  func received(for path: String) -> String { "\(path) receives \(inDetail)" }
}

extension URLRequest {
  var path: String { url?.path ?? "" }
}
