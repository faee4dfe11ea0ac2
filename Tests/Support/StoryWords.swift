import Given

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

extension HTTPResult {
  /// The status of a response, or the error.
  public var inWords: String {
    switch self {
    case .success((_, let response)): "\(response.statusCode)"
    case .failure(let error): error.inWords
    }
  }
}

extension Credentials {
  /// The name of the user to whom the credentials belong.
  public var user: String { accessToken.user }
}

extension String {
  /// The name of the user to whom an access token belongs.
  public var user: String { prefix { $0 != "-" }.capitalized }
}

extension [Int] {
  /// The element at a position modulo the number of elements; `nil` if there is none.
  public func at(_ position: Int) -> Int? {
    isEmpty ? nil : self[position % count]
  }
}
