import Given

/// What an `HTTPClient` delivers.
public typealias HTTPResult = Result<(Data, HTTPURLResponse), any Error>

extension HTTPResult {
  /// An answer with a status and a header field, whose body is a text.
  public static func status(_ status: Int, _ body: String = "") -> Self {
    .success(
      (
        Data(body.utf8),
        HTTPURLResponse(
          url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil, headerFields: ["ETag": "42"])!
      ))
  }

  /// The answer that blocks the account for good.
  public static let permanentBlock = Self.status(403, #"{"error": "permanently_blocked"}"#)

  /// The status and the body of an answer; `nil` for an error.
  public var text: String? {
    (try? get()).map { "\($0.1.statusCode) \(String(decoding: $0.0, as: UTF8.self))" }
  }
}

extension URLRequest {
  /// A GET request for a path that is its name.
  public static func named(_ name: String) -> URLRequest {
    URLRequest(url: URL(string: "https://example.com/\(name)")!)
  }

  /// A request in which nothing is left as it comes.
  public static let elaborate = {
    var request = URLRequest(
      url: URL(string: "https://example.com/request?page=2")!, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 7)
    request.httpMethod = "PATCH"
    request.httpBody = Data("a new title".utf8)
    request.httpShouldHandleCookies = false
    request.networkServiceType = .background
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer of the caller", forHTTPHeaderField: "Authorization")
    return request
  }()
}

/// A decorator that nobody has seen before: it adds an exclamation mark to each answer.
public struct ShoutingDecorator: HTTPClient {
  private let decoratee: any HTTPClient

  /// - Parameter decoratee: Whom to ask.
  public init(decoratee: any HTTPClient) {
    self.decoratee = decoratee
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request) { result in
      completion(result.map { ($0.0 + Data("!".utf8), $0.1) })
    }
  }
}

/// Passes each request to a closure that answers it.
public struct ClosureClient: HTTPClient {
  private let body: (URLRequest, @escaping HTTPClient.Completion) -> Void

  /// - Parameter body: What to do with a request and its completion.
  public init(_ body: @escaping (URLRequest, @escaping HTTPClient.Completion) -> Void) {
    self.body = body
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    body(request, completion)
  }
}
