import Given
import TestSupport

// A contract for a method with a completion, and one for an async method.

/// Requests and results of all kinds that a decorator of a client lets through.
let clients = DecoratorContract<any HTTPClient, URLRequest, HTTPResult>(
  requests: [.get, .elaborate, .patient],
  results: [
    .status(200, "one"), .status(404, "two"), .status(403, "three"), .status(200, #"{"error": "permanently_blocked"}"#),
    .failure(URLError(.timedOut)), .failure(URLError(.userAuthenticationRequired)), .failure(TokenEndpoint.Refused()),
    .failure(CancellationError()),
  ],
  makeDecoratee: { ClientStub(forward: $0) },
  call: { $0.load($1, completion: $2) })

private struct ClientStub: HTTPClient {
  let forward: (URLRequest, @escaping HTTPClient.Completion) -> Void

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) { forward(request, completion) }
}

let items = DecoratorContract<any ItemService, Void, Result<[String], any Error>>(
  requests: [()],
  results: [.success(["Tea", "Bread", "Tea"]), .success([]), .failure(URLError(.timedOut)), .failure(CancellationError())],
  makeDecoratee: { ItemStub(forward: $0) },
  call: { service, _ in try await service.loadItems() })

private struct ItemStub: ItemService {
  let forward: @Sendable (()) async throws -> [String]

  func loadItems() async throws -> [String] { try await forward(()) }
}

extension URLRequest {
  fileprivate static var get: URLRequest {
    var request = URLRequest(
      url: URL(string: "https://example.com/articles?page=2")!, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 7)
    request.setValue("fr-CA", forHTTPHeaderField: "accept-language")
    return request
  }

  fileprivate static var patient: URLRequest {
    var request = get
    request.timeoutInterval = 600
    return request
  }
}
