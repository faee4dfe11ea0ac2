import Given

/// The kinds of errors in a story. A solution may treat one of them differently by mistake.
public enum StoryFailure: CaseIterable, Sendable {
  case refused, unavailable, busy, timedOut, canceled, connectionLost, offline, authenticationRequired, cancellation,
    userCanceled, explained, notHTTP, malformed, posix

  /// The error.
  public var error: any Error {
    switch self {
    case .refused: TokenEndpoint.Refused()
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
          NSLocalizedRecoverySuggestionErrorKey: "Read another one.",
        ])
    case .notHTTP: HTTPClientError.notHTTP
    case .malformed: DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The body is not JSON."))
    case .posix: NSError(domain: NSPOSIXErrorDomain, code: 54)
    }
  }
}

/// Names for the paths, users, and tokens in a story.
public struct StoryNames: Sendable {
  private var paths = 0
  private var users = 0
  private var tokens: [String: Int] = [:]

  /// Creates a source of names.
  public init() {}

  /// Makes up a path that no other request in the story has.
  public mutating func path() -> String {
    let names = ["articles", "comments", "profile", "settings", "search", "authors", "tags", "images", "lists", "votes"]
    defer { paths += 1 }
    return "/" + names[paths % names.count] + (paths < names.count ? "" : "-\(paths / names.count + 1)")
  }

  /// Makes up the name of the next user.
  public mutating func user() -> String {
    let names = ["Ada", "Grace", "Alan", "Barbara", "Edsger"]
    defer { users += 1 }
    return names[users % names.count]
  }

  /// Makes up credentials with new tokens, such as `ada-1` and `ada-1-refresh`.
  ///
  /// - Parameters:
  ///   - user: The user's name.
  ///   - date: The expiry.
  public mutating func credentials(of user: String, expiringAt date: Date) -> Credentials {
    let token = numbered(user.lowercased())
    return Credentials(accessToken: token, refreshToken: "\(token)-refresh", expiresAt: date)
  }

  /// Makes up the credentials that replace others.
  ///
  /// - Parameters:
  ///   - old: The credentials to replace.
  ///   - keepingRefreshToken: Whether the refresh token stays the same.
  ///   - date: The expiry.
  public mutating func renewed(_ old: Credentials, keepingRefreshToken: Bool, expiringAt date: Date) -> Credentials {
    let token = numbered(String(old.accessToken.prefix { $0 != "-" }))
    return Credentials(
      accessToken: token, refreshToken: keepingRefreshToken ? old.refreshToken : "\(token)-refresh", expiresAt: date)
  }

  private mutating func numbered(_ name: String) -> String {
    let number = tokens[name, default: 0] + 1
    tokens[name] = number
    return "\(name)-\(number)"
  }
}

extension URLRequest {
  /// A `GET` request for a path in a story.
  public static func story(_ path: String) -> URLRequest {
    URLRequest(url: URL(string: "https://example.com\(path)")!)
  }
}

extension Date {
  /// The time in a story, which begins at noon: `12:00:00.700`.
  public var inWords: String {
    let milliseconds = Int((timeIntervalSinceReferenceDate * 1000).rounded()) + 12 * 3_600_000
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let time = "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    return "\(time).\("\(1000 + rest)".dropFirst())"
  }
}

extension Error {
  /// A short description of the error, without memory addresses.
  public var inWords: String {
    switch self {
    case let error as HTTPClientError: "\(error)"
    case let error as URLError: "URLError \(error.code.rawValue)"
    case is CancellationError: "CancellationError"
    case is TokenEndpoint.Refused: "TokenEndpoint.Refused"
    case let error as TokenEndpoint.Unavailable: "TokenEndpoint.Unavailable(\(error.statusCode))"
    case is DecodingError: "DecodingError"
    default: "NSError \((self as NSError).domain) \((self as NSError).code)"
    }
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
