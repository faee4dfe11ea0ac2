import Given
import TestSupport

// One contract for each method of the kata's services.

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

/// What decorators of a client as a function let through.
let chains = DecoratorContract<Next, URLRequest, Result<Response, any Error>>(
  requests: [.get, .elaborate],
  results: [HTTPResult.status(200, "one"), .status(404, "two"), .failure(URLError(.badURL)), .failure(CancellationError())]
    .map { $0.map { Response(data: $0, head: $1) } },
  makeDecoratee: { $0 },
  call: { try await $0($1) })

let profiles = DecoratorContract<any ProfileService, Void, Result<Profile, any Error>>(
  requests: [()],
  results: [
    .success(Profile(userName: "Ada", address: "1")), .success(Profile(userName: "Grace", address: "2")),
    .failure(URLError(.timedOut)), .failure(CancellationError()),
  ],
  makeDecoratee: { ProfileStub(forward: $0) },
  call: { $0.getProfile(completion: $2) })

private struct ProfileStub: ProfileService {
  let forward: ((), @escaping (Result<Profile, any Error>) -> Void) -> Void

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) { forward((), completion) }
}

let images = DecoratorContract<any FeedImageDataLoader, URL, Result<Data, any Error>>(
  requests: [URL(string: "https://a")!, URL(string: "https://b")!],
  results: [
    .success(Data("one".utf8)), .success(Data("two".utf8)), .failure(URLError(.timedOut)), .failure(CancellationError()),
  ],
  makeDecoratee: { ImageStub(forward: $0) },
  call: { _ = $0.loadImageData(from: $1, completion: $2) })

private struct ImageStub: FeedImageDataLoader {
  struct NoTask: FeedImageDataLoaderTask { func cancel() {} }
  let forward: (URL, @escaping (Result<Data, any Error>) -> Void) -> Void

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    forward(url, completion)
    return NoTask()
  }
}

let items = DecoratorContract<any ItemService, Void, Result<[String], any Error>>(
  requests: [()],
  results: [.success(["Tea", "Bread", "Tea"]), .success([]), .failure(URLError(.timedOut)), .failure(CancellationError())],
  makeDecoratee: { ItemStub(forward: $0) },
  call: { service, _ in try await service.loadItems() })

private struct ItemStub: ItemService {
  let forward: (()) async throws -> [String]

  func loadItems() async throws -> [String] { try await forward(()) }
}

/// A protocol with two methods has two contracts, and one stub for each.
let receiptLoads = DecoratorContract<any ReceiptService, String, Result<Receipt, any Error>>(
  requests: ["1", "2"],
  results: [
    .success(Receipt(id: "1", text: "Tea")), .success(Receipt(id: "2", text: "Bread")), .failure(CocoaError(.fileReadNoSuchFile)),
  ],
  makeDecoratee: { LoadStub(forward: $0) },
  call: { $0.load($1, completion: $2) })

let receiptSaves = DecoratorContract<any ReceiptService, Receipt, Result<Receipt, any Error>>(
  requests: [Receipt(id: "1", text: "Tea"), Receipt(id: "2", text: "Bread")],
  results: [
    .success(Receipt(id: "1", text: "Tea")), .success(Receipt(id: "2", text: "Bread")), .failure(ReceiptError.readOnly),
  ],
  makeDecoratee: { SaveStub(forward: $0) },
  call: { $0.save($1, completion: $2) })

private struct LoadStub: ReceiptService {
  let forward: @Sendable (String, @escaping Completion) -> Void

  func load(_ id: String, completion: @escaping Completion) { forward(id, completion) }
  func save(_ receipt: Receipt, completion: @escaping Completion) { fatalError("This contract is about `load`.") }
}

private struct SaveStub: ReceiptService {
  let forward: @Sendable (Receipt, @escaping Completion) -> Void

  func load(_ id: String, completion: @escaping Completion) { fatalError("This contract is about `save`.") }
  func save(_ receipt: Receipt, completion: @escaping Completion) { forward(receipt, completion) }
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

  /// A request whose URL is missing. On Linux, Foundation traps when it is changed, so it is for decorators that change none.
  static var withoutURL: URLRequest {
    var request = get
    request.url = nil
    return request
  }
}
