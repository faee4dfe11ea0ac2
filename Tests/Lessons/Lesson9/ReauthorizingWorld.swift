import Given
import TestSupport
import Testing

import typealias Given.Response
import class TestSupport.Inbox
import struct TestSupport.RandomEvent
import struct TestSupport.Running
import enum TestSupport.SampleError
import class TestSupport.Scenario

@testable import Exercise9

/// The learner's middleware that sends a request once more, a client, and a provider of credentials.
final class ReauthorizingWorld: Scenario {
  private let client = AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false)
  private let provider = AsyncCalls<String, Credentials>(to: "the provider", endsWhenCanceled: false)
  private let results = Inbox<String>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []
  private var names = StoryNames()
  private var model = ReauthorizingModel()

  init() {
    sut = reauthorizing(with: { [provider] in try await provider.receive($0) })
    super.init(setting: "A middleware that adds tokens is outside.")
  }

  /// - Parameter authorization: The header field that the outer middleware has set; `nil` for none.
  func send(
    _ request: StoryRequest = .plain, method: String = "GET", authorization: String? = "Bearer ada-1", isStreaming: Bool = false,
    leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let path = names.path()
    var request = request.request(for: path)
    request.httpMethod = method
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    if isStreaming { request.httpBodyStream = InputStream(data: Data("a long article".utf8)) }
    model.send(path, request)
    await event("The request is \(request.told).", leadsToAllOf: effects, at: place) {
      requests.append(
        Running { [request, sut, client, results] in
          do {
            let response = try await sut(request) { try await client.receive($0) }
            results.receive("\(path) receives \(response.head.statusCode) (\(String(decoding: response.data, as: UTF8.self)))")
          } catch {
            results.receive("\(path) receives \(error.inWords)")
          }
        })
    }
  }

  func respond(
    to path: String, status: Int, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await end(path, with: .success(status), leadsToAllOf: effects, at: place)
  }

  func fail(
    _ path: String, with trouble: SampleError, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await end(path, with: .failure(trouble), leadsToAllOf: effects, at: place)
  }

  /// The provider ends its call for a request.
  ///
  /// - Parameter result: The new access token, or how the provider fails.
  func provide(
    _ result: Result<String, SampleError>, for path: String, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let call = model.call(for: path) else { return impossible(at: place) }
    model.provide(result, for: path)
    let words =
      switch result {
      case .success(let token): "returns credentials with \(token)"
      case .failure(let trouble): "throws \(trouble.inWords)"
      }
    await event("For \(path), the provider \(words).", leadsToAllOf: effects, at: place) {
      guard provider.count > call else { return }
      provider.finish(
        call,
        with: result.map { Credentials(accessToken: $0, refreshToken: "", expiresAt: .distantFuture) }.mapError(\.error))
    }
  }

  override func observed() async -> [String] {
    client.arguments.map { "\($0.inWords) is sent" } + provider.arguments.map { "the provider is called with \($0)" }
      + results.values
  }

  override var predicted: [String]? { model.effects }

  override func nextEnding() -> (() async -> Void)? {
    if let path = model.inFlight.last { return { [self] in await respond(to: path, status: 200) } }
    return model.waiting.last.map { path in { [self] in await provide(.failure(.offline), for: path) } }
  }

  private func end(
    _ path: String, with result: Result<Int, SampleError>, leadsToAllOf effects: [String], at place: SourceLocation
  ) async {
    guard let attempt = model.attempt(of: path) else { return impossible(at: place) }
    model.end(path, with: result)
    let words =
      switch result {
      case .success(let status): "a \(status)"
      case .failure(let trouble): trouble.inWords
      }
    await event("Attempt \(attempt) of \(path) ends with \(words).", leadsToAllOf: effects, at: place) {
      guard let index = client.unfinished.last(where: { client.arguments[$0].url?.path == path }) else { return }
      client.finish(index, with: result.map { response($0, "attempt \(attempt)") }.mapError(\.error))
    }
  }
}

extension ReauthorizingWorld {
  /// What may happen in a random story. What the page leaves open may not.
  static var randomEvents: [RandomEvent<ReauthorizingWorld>] {
    [
      RandomEvent(4) { world, random in
        let fields = ["Bearer ada-1", "Bearer ada-1", "Bearer ada-1", "Bearer Grace.2+/=", "Basic QWRhOjE=", nil]
        let methods = ["GET", "GET", "PUT", "POST", "DELETE"]
        let isPlain = Int.random(in: 0..<3, using: &random) < 2
        let (field, method) = (fields.randomElement(using: &random)!, methods.randomElement(using: &random)!)
        await world.send(
          isPlain ? .plain : .random(using: &random), method: method, authorization: field,
          isStreaming: Int.random(in: 0..<8, using: &random) == 7)
      },
      RandomEvent(5) { world, random in
        guard let path = world.model.inFlight.newest(using: &random) else { return }
        await world.respond(to: path, status: 401)
      },
      RandomEvent(2) { world, random in
        let status = Int.status(using: &random)
        guard let path = world.model.inFlight.newest(using: &random) else { return }
        await world.respond(to: path, status: status)
      },
      RandomEvent(2) { world, random in
        let trouble = SampleError.random(using: &random)
        guard let path = world.model.inFlight.newest(using: &random) else { return }
        await world.fail(path, with: trouble)
      },
      RandomEvent(4) { world, random in
        let token = ["ada-2", "ada-2", "ada-1", "grace-1"].randomElement(using: &random)!
        guard let path = world.model.waiting.newest(using: &random) else { return }
        await world.provide(.success(token), for: path)
      },
      RandomEvent(1) { world, random in
        let trouble = SampleError.random(using: &random)
        guard let path = world.model.waiting.newest(using: &random) else { return }
        await world.provide(.failure(trouble), for: path)
      },
    ]
  }
}
