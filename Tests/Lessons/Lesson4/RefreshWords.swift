import Given
import TestSupport
import Testing

extension URLRequest {
  /// A request as the app makes it, with parts that must not change, and one that must.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - token: The token in its header field `Authorization`, or credentials of another kind, for example `Basic secret`.
  static func original(_ path: String, carrying token: String? = "the-callers-own") -> URLRequest {
    // The same path always leads to the same request, so that a sent one can be compared with its original.
    var random = SeededRandom(seed: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    var request = StoryRequest.random(using: &random, fields: ["Accept", "If-None-Match"]).request(for: path)
    if request.httpMethod == "GET" { request.httpMethod = "POST" }
    request.httpBody = Data(path.utf8)
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    let scheme = token?.contains(" ") == true ? "" : ["Bearer ", "Basic "].randomElement(using: &random)!
    request.setValue(token.map { scheme + $0 }, forHTTPHeaderField: "Authorization")
    return request
  }

  var path: String { url?.path ?? "" }

  /// The request, as it is sent: `/articles is sent with ada-1`.
  var sentence: String {
    var original = URLRequest.original(path)
    if httpBodyStream != nil { original.httpBodyStream = InputStream(data: Data()) }
    return "\(path) is sent with \(sentToken ?? "no token")"
      + (rest == original.rest ? "" : ", but \(difference(from: original)): was a new request built?")
  }

  /// What is different, apart from the token, in words.
  private func difference(from original: URLRequest) -> String {
    let (parts, originals) = (rest.parts, original.rest.parts)
    let lost = originals.filter { !parts.contains($0) }.map { "no longer `\($0)`" }
    let new = parts.filter { !originals.contains($0) }.map { "now `\($0)`" }
    return (lost + new).joined(separator: ", ")
  }

  /// Everything but the token.
  private var rest: String {
    inWords(
      withFields: (allHTTPHeaderFields ?? [:]).filter { $0.key.lowercased() != "authorization" }.map {
        ($0.key.lowercased(), $0.value)
      })
  }
}

extension String {
  /// The parts of a request in words.
  fileprivate var parts: [String] {
    replacingOccurrences(of: ", with ", with: ", ").replacingOccurrences(of: " and ", with: ", ").components(separatedBy: ", ")
  }
}

extension HTTPResult {
  /// A response whose body says what it responds to.
  static func response(_ status: Int, to path: String, sentWith token: String) -> HTTPResult {
    .status(status, "\(path), sent with \(token)")
  }

  var isSuccessful: Bool { (try? get())?.1.statusCode == 200 }

  var isRejection: Bool { (try? get())?.1.statusCode == 401 }

  /// The result, as the completion of a request receives it: `/articles receives 200 (sent with ada-1)`.
  func received(for path: String) -> String {
    guard case .success((let body, _)) = self else { return "\(path) receives \(inWords)" }
    let text = String(decoding: body, as: UTF8.self)
    let own = "\(path), "
    return "\(path) receives \(inWords) (\(text.hasPrefix(own) ? String(text.dropFirst(own.count)) : text))"
  }
}

extension Result<Credentials, any Error> {
  /// The end of a refresh.
  var inWords: String {
    switch self {
    case .success(let new): "succeeds with \(new.inWords)"
    case .failure(let error): "fails with \(error.inWords)"
    }
  }
}

extension Credentials: CustomTestStringConvertible {
  public var testDescription: String { inWords }

  /// The credentials: `ada-1 (expiry: 12:00:00.750, refresh token: ada-1-refresh)`.
  var inWords: String {
    "\(accessToken) (expiry: \(expiresAt.inWords), refresh token: \(refreshToken))"
  }
}
