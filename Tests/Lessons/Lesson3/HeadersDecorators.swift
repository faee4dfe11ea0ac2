import Given
import TestSupport

/// A decorator that a learner's tests are run against.
///
/// Each one forwards each request once, before `load` returns, and calls no completion twice. So a test may write
/// `client.requests[0]`: what a wrong decorator breaks is an expectation, and not the whole run.
struct HeadersDecorator {
  /// Adds headers to the requests of a client.
  typealias Make = ([String: String], any HTTPClient) -> any HTTPClient

  /// What is wrong about it, or what is unusual about a right one, and what a test has to do about that.
  let sentence: String
  let make: Make

  init(_ sentence: String, _ make: @escaping Make) {
    self.sentence = sentence
    self.make = make
  }

  /// Right ones, of other designs than the solution.
  static let right = [
    HeadersDecorator("Its names are in lowercase. Look a header up with `value(forHTTPHeaderField:)`.") { headers, client in
      changing(client) { request in
        let own = request.allHTTPHeaderFields ?? [:]
        let names = Set(own.keys.map { $0.lowercased() })
        let missing = headers.map { ($0.key.lowercased(), $0.value) }.filter { !names.contains($0.0) }
        request.allHTTPHeaderFields = own.merging(missing) { own, _ in own }
      }
    },
    HeadersDecorator("Without headers to add, it is the client itself. Don't look at types.") { headers, client in
      headers.isEmpty ? client : adding(headers, to: client)
    },
    HeadersDecorator("It delivers on another queue. Wait for a result: `await results.receives(1)`.") { headers, client in
      let sut = adding(headers, to: client)
      return ClosureClient { request, completion in
        sut.load(request) { result in
          // Late enough that a test that does not wait fails in every run.
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { completion(result) }
        }
      }
    },
  ]

  /// Wrong ones, in the order of the page's rules. Each makes one mistake.
  static let wrong = [
    HeadersDecorator("It adds no headers.") { $1 },
    HeadersDecorator("It adds its headers only to a request that has none of its own.") { headers, client in
      changing(client) { request in
        if (request.allHTTPHeaderFields ?? [:]).isEmpty { request.allHTTPHeaderFields = headers }
      }
    },
    HeadersDecorator("It overwrites a header that the caller has set.") { headers, client in
      changing(client) { request in
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      }
    },
    HeadersDecorator("It overwrites a header that the caller has set to an empty value.") { headers, client in
      changing(client) { request in
        for (name, value) in headers where (request.value(forHTTPHeaderField: name) ?? "").isEmpty {
          request.setValue(value, forHTTPHeaderField: name)
        }
      }
    },
    HeadersDecorator("It compares names by case: as `x-app-version`, its header replaces the caller's `X-App-Version`.") {
      headers, client in
      changing(client) { request in
        for (name, value) in headers where request.allHTTPHeaderFields?[name] == nil {
          request.setValue(value, forHTTPHeaderField: name)
        }
      }
    },
    HeadersDecorator("It builds a new request, with the old one's URL, method, headers and body, and nothing else.") {
      headers, client in
      changing(client) { request in
        let old = request
        request = URLRequest(url: old.url!)
        request.httpMethod = old.httpMethod
        request.allHTTPHeaderFields = old.allHTTPHeaderFields
        request.httpBody = old.httpBody
        request.add(headers)
      }
    },
    HeadersDecorator("It replaces the client's error by one of its own.") { headers, client in
      let sut = adding(headers, to: client)
      return ClosureClient { request, completion in
        sut.load(request) { completion($0.mapError { _ in HTTPClientError.notHTTP }) }
      }
    },
    HeadersDecorator("It delivers no result if nothing else retains the decorator.") {
      OneCompletion(client: adding($0, to: $1), isForgetful: true)
    },
    HeadersDecorator("If two requests are in flight, the first result goes to the second one's completion.") {
      OneCompletion(client: adding($0, to: $1), isForgetful: false)
    },
  ]

  /// What the others have in common.
  private static func adding(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
    changing(client) { $0.add(headers) }
  }

  private static func changing(_ client: any HTTPClient, _ change: @escaping (inout URLRequest) -> Void) -> any HTTPClient {
    ClosureClient { request, completion in
      var request = request
      change(&request)
      client.load(request, completion: completion)
    }
  }
}

extension URLRequest {
  fileprivate mutating func add(_ headers: [String: String]) {
    for (name, value) in headers where self.value(forHTTPHeaderField: name) == nil { setValue(value, forHTTPHeaderField: name) }
  }
}

/// Stores a completion where it should capture it, or captures itself weakly.
private final class OneCompletion: HTTPClient {
  private let client: any HTTPClient
  private let isForgetful: Bool
  private var completion: HTTPClient.Completion?

  init(client: any HTTPClient, isForgetful: Bool) {
    self.client = client
    self.isForgetful = isForgetful
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    guard !isForgetful else {
      return client.load(request) { [weak self] result in
        if self != nil { completion(result) }
      }
    }
    self.completion = completion
    client.load(request) { result in self.completion.take()?(result) }
  }
}
