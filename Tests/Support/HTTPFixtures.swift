import Given

/// The result that an `HTTPClient` delivers.
public typealias HTTPResult = Result<(Data, HTTPURLResponse), any Error>

extension HTTPResult {
  /// A response with a status, a header field, and a text as its body.
  public static func status(_ status: Int, _ body: String = "") -> Self {
    .success(
      (
        Data(body.utf8),
        HTTPURLResponse(
          url: URL(string: "https://example.com")!, statusCode: status, httpVersion: nil, headerFields: ["ETag": "42"])!
      ))
  }

  /// The response that blocks the account permanently.
  public static let permanentBlock = Self.status(403, #"{"error": "permanently_blocked"}"#)

  /// The status and the body of a response; `nil` for an error.
  public var text: String? {
    (try? get()).map { "\($0.1.statusCode) \(String(decoding: $0.0, as: UTF8.self))" }
  }
}

extension URLRequest {
  /// A `GET` request for the path `/name`.
  public static func named(_ name: String) -> URLRequest {
    URLRequest(url: URL(string: "https://example.com/\(name)")!)
  }

  /// A request whose properties all differ from the defaults.
  public static let elaborate = {
    var request = URLRequest(
      url: URL(string: "https://example.com/request?page=2")!, cachePolicy: .returnCacheDataElseLoad, timeoutInterval: 7)
    request.httpMethod = "PATCH"
    request.httpBody = Data("a new title".utf8)
    request.httpShouldHandleCookies = false
    request.networkServiceType = .background
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")
    return request
  }()
}

/// An `HTTPClient` that calls a closure with each request. It is an object, so that its release can be tracked.
public final class ClosureClient: HTTPClient {
  private let body: (URLRequest, @escaping HTTPClient.Completion) -> Void

  /// Creates a client.
  ///
  /// - Parameter body: A closure that receives each request and its completion.
  public init(_ body: @escaping (URLRequest, @escaping HTTPClient.Completion) -> Void) {
    self.body = body
  }

  public func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    body(request, completion)
  }
}
