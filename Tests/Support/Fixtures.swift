import Given
import Testing

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

  /// A request whose properties all differ from the defaults, as far as both platforms have them.
  public static let elaborate = {
    var request = URLRequest(
      url: URL(string: "https://example.com/request?page=2")!, cachePolicy: .returnCacheDataElseLoad, timeoutInterval: 7)
    request.httpMethod = "PATCH"
    request.httpBody = Data("a new title".utf8)
    request.httpShouldHandleCookies = false
    request.networkServiceType = .background
    request.allowsCellularAccess = false
    request.mainDocumentURL = URL(string: "https://example.com/main")
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

extension Credentials {
  /// Credentials that expire one hour after the initial date of a `ManualClock`.
  public static let valid = valid(for: 3600)

  /// Credentials that expire some seconds after the initial date of a `ManualClock`.
  public static func valid(for seconds: TimeInterval) -> Credentials {
    Credentials(
      accessToken: "valid-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(seconds))
  }

  /// Credentials that expired one minute before the initial date of a `ManualClock`.
  public static let expired = Credentials(
    accessToken: "old-token", refreshToken: "refresh-1", expiresAt: ManualClock().date.addingTimeInterval(-60))

  /// The new credentials from a refresh at the initial date of a `ManualClock`.
  public static let renewed = Credentials(
    accessToken: "new-token", refreshToken: "refresh-2", expiresAt: ManualClock().date.addingTimeInterval(900))
}

extension StubServer.Response {
  /// The token endpoint's response with ``Credentials/renewed``.
  public static let renewedCredentials = Self.response(
    200, body: Data(#"{"access_token": "new-token", "refresh_token": "refresh-2", "expires_in": 900}"#.utf8))

  /// The token endpoint's response that rejects the refresh token.
  public static let refusedRefresh = Self.response(400, body: Data(#"{"error": "invalid_grant"}"#.utf8))

  /// The response that blocks the account permanently.
  public static let permanentBlock = Self.response(403, body: Data(#"{"error": "permanently_blocked"}"#.utf8))
}

extension URLRequest {
  /// The value of the header field `Authorization`.
  public var authorization: String? {
    value(forHTTPHeaderField: "Authorization")
  }

  /// The bearer token that the request carries, or the whole header field if it holds anything else; `nil` if there is none.
  public var sentToken: String? {
    authorization.map { $0.hasPrefix("Bearer ") ? String($0.dropFirst("Bearer ".count)) : "`Authorization: \($0)`" }
  }
}

extension Profile {
  /// The profile of Ada Lovelace.
  public static let ada = Profile(userName: "Ada Lovelace", address: "12 St James's Square, London")
}

/// What can go wrong with a call: the errors that tests let stubs deliver.
///
/// A solution may treat one of them differently by mistake, so a test of a rule about errors goes through ``allCases``.
public enum SampleError: Error, CaseIterable {
  case refused, badRequest, unauthorized, unavailable, busy, timedOut, canceled, connectionLost, offline, authenticationRequired,
    cancellation,
    userCanceled, explained, notHTTP, malformed, posix
  /// An error without a description of its own.
  case unexplained

  /// The errors that random requests get. Each has a description by which a run can tell it from the others.
  public static let inRandomRuns = allCases.filter { $0 != .unexplained }

  /// Whether the server has refused to refresh the credentials. Nothing else ends a session.
  public var isRefusal: Bool { self == .refused }

  /// The error.
  public var error: any Error {
    switch self {
    case .refused: TokenEndpoint.Refused()
    case .badRequest: TokenEndpoint.Unavailable(statusCode: 400)
    case .unauthorized: TokenEndpoint.Unavailable(statusCode: 401)
    case .unavailable: TokenEndpoint.Unavailable(statusCode: 503)
    case .busy: TokenEndpoint.Unavailable(statusCode: 429)
    case .timedOut: URLError(.timedOut)
    case .canceled: URLError(.cancelled)
    case .connectionLost: URLError(.networkConnectionLost)
    case .offline: URLError(.notConnectedToInternet)
    case .authenticationRequired: URLError(.userAuthenticationRequired)
    case .cancellation: CancellationError()
    case .userCanceled: CocoaError(.userCancelled)
    case .explained:
      NSError(
        domain: "com.example.app", code: 7,
        userInfo: [
          NSLocalizedDescriptionKey: "The article is missing.", NSLocalizedFailureReasonErrorKey: "It was removed.",
          NSLocalizedRecoverySuggestionErrorKey: "Read another one.", NSUnderlyingErrorKey: NSError(domain: "Inner", code: 2),
        ])
    case .notHTTP: HTTPClientError.notHTTP
    case .malformed: DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The body is not JSON."))
    case .posix: NSError(domain: NSPOSIXErrorDomain, code: 54)
    case .unexplained: Unexplained()
    }
  }

  /// The error, in a few words.
  public var inWords: String { error.inWords }

  /// Makes up an error.
  public static func random(using random: inout SeededRandom) -> Self {
    inRandomRuns.randomElement(using: &random)!
  }
}

struct Unexplained: Error {}

extension Error {
  /// A short description of the error, without memory addresses.
  public var inWords: String {
    switch self {
    case let error as HTTPClientError: "\(error)"
    case let error as URLError: "URLError \(error.code.rawValue)"
    case is CancellationError: "CancellationError"
    case let error as Unfinished: "\(error)"
    case is TokenEndpoint.Refused: "TokenEndpoint.Refused"
    case let error as TokenEndpoint.Unavailable: "TokenEndpoint.Unavailable(\(error.statusCode))"
    case is DecodingError: "DecodingError"
    default: "NSError \((self as NSError).domain) \((self as NSError).code)"
    }
  }

  /// Whether the error is another one, passed on unchanged.
  public func isSame(as other: any Error) -> Bool {
    let (one, two) = (self as NSError, other as NSError)
    return one.domain == two.domain && one.code == two.code && one.localizedDescription == two.localizedDescription
  }
}

extension Result where Failure == any Error {
  /// The delivered value. Reports an issue if an error was delivered instead.
  ///
  /// - Parameters:
  ///   - expectation: The expected result and its reason, as a sentence for the learner.
  ///   - sourceLocation: The source location of issues.
  /// - Returns: The value.
  /// - Throws: An error if an error was delivered. It has been reported as an issue.
  public func expectSuccess(
    _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Success {
    let (delivered, error) = parts
    return try #require(
      delivered, "\(expectation) Delivered instead: \(error.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
  }

  /// Checks that the expected error was delivered.
  ///
  /// - Parameters:
  ///   - expected: The error.
  ///   - expectation: The expected error and its reason, as a sentence for the learner.
  ///   - sourceLocation: The source location of issues.
  public func expectFailure<E: Error & Equatable>(
    _ expected: E, _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (success, error) = parts
    let instead = error.map { "\($0)" } ?? success.map(inWords) ?? "nothing"
    let delivered = error as? E
    #expect(delivered == expected, "\(expectation) Delivered instead: \(instead)", sourceLocation: sourceLocation)
  }

  /// The error; `nil` for a success.
  public var failure: (any Error)? {
    parts.1
  }

  private func inWords(_ success: Success) -> String {
    guard let (data, response) = success as? (Data, HTTPURLResponse) else { return "the value \(success)" }
    return data.isEmpty
      ? "the response \(response.statusCode)" : "the response \(response.statusCode) \(String(decoding: data, as: UTF8.self))"
  }

  private var parts: (Success?, (any Error)?) {
    switch self {
    case .success(let success): (success, nil)
    case .failure(let error): (nil, error)
    }
  }
}

/// Checks that a request was forwarded unchanged.
///
/// - Parameters:
///   - sent: The request that was sent.
///   - original: The request that the caller made.
///   - added: The header field that may have been added or changed, if any.
///   - sourceLocation: The source location of issues.
public func expectUnchanged(
  _ sent: URLRequest, from original: URLRequest, except added: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func expect<Value: Equatable>(_ part: String, _ value: (URLRequest) -> Value) {
    #expect(
      value(sent) == value(original),
      "The \(part) should be unchanged. Don't build a new request, and change nothing that is not your concern.",
      sourceLocation: sourceLocation)
  }

  expect("URL", \.url)
  expect("method", \.httpMethod)
  expect("body", \.httpBody)
  expect("cache policy", \.cachePolicy)
  expect("timeout", \.timeoutInterval)
  expect("cookie setting", \.httpShouldHandleCookies)
  expect("network service type", \.networkServiceType)
  expect("access to cellular networks", \.allowsCellularAccess)
  expect("main document's URL", \.mainDocumentURL)
  for field in (original.allHTTPHeaderFields ?? [:]).keys where field != added {
    expect("\(field) header") { $0.value(forHTTPHeaderField: field) }
  }
}

extension Credentials: CustomTestStringConvertible {
  public var testDescription: String { inWords }

  /// The credentials: `ada-1 (expiry: 12:00:00.750, refresh token: ada-1-refresh)`.
  public var inWords: String { "\(accessToken) (expiry: \(expiresAt.inWords), refresh token: \(refreshToken))" }
}

extension Date {
  /// The time of a run, which begins at noon: `12:00:00.700`.
  public var inWords: String {
    let milliseconds = Int((timeIntervalSinceReferenceDate * 1000).rounded()) + 12 * 3_600_000
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let time = "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    return "\(time).\("\(1000 + rest)".dropFirst())"
  }
}

extension HTTPResult {
  /// The status of a response, or the error.
  public var inWords: String {
    switch self {
    case .success((_, let response)): "\(response.statusCode)"
    case .failure(let error): error.inWords
    }
  }
}

/// Makes a response of a server.
///
/// - Parameters:
///   - status: The status.
///   - body: The body.
///   - retryAfter: The value of the header field `Retry-After`; `nil` if there is none.
public func response(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Response {
  let (url, fields) = (URL(string: "https://example.com")!, retryAfter.map { ["Retry-After": $0] })
  return (Data(body.utf8), HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)!)
}
