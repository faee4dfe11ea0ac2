import Given
import TestSupport

/// How the back end responds, as plain values.
public struct BackEnd: Sendable {
  /// The moments at which the back end has yet to respond.
  public enum Moment: CaseIterable, Sendable {
    case refresh
    case request
  }

  /// The response to a refresh.
  public enum Refresh: Sendable {
    case credentials(lifetime: TimeInterval, keepsRefreshToken: Bool)
    case failure(StubServer.Response)
  }

  /// Responses to requests. Some of them would mean something else as the response to a refresh.
  static let responses: [StubServer.Response] = [
    .response(200, body: Data("[]".utf8)), .permanentBlock, .permanentBlock, .permanentBlock, .response(204), .response(401),
    .response(401), .response(401),
    .response(401, body: Data(#"{"error": "permanently_blocked"}"#.utf8)), .response(403),
    .response(403, body: Data(#"{"error": "not_your_article"}"#.utf8)), .refusedRefresh, .response(404), .response(500),
    .failure(.notConnectedToInternet), .failure(.networkConnectionLost), .failure(.timedOut), .failure(.cancelled),
    .failure(.networkConnectionLost, afterHead: 200), .failure(.userAuthenticationRequired),
    .error(domain: NSPOSIXErrorDomain, code: 54), .notHTTP,
  ]

  /// Responses to refreshes.
  static let refreshes: [Refresh] =
    [900, 900, 0.75, 0, -60].flatMap { lifetime in
      [false, true].map { .credentials(lifetime: lifetime, keepsRefreshToken: $0) }
    }
    + [
      .refusedRefresh, .refusedRefresh, .refusedRefresh, .refusedRefresh, .permanentBlock, .response(400), .response(401),
      .response(429), .response(500),
      .response(403, body: Data(#"{"error": "invalid_grant"}"#.utf8)), .response(200, body: Data("{}".utf8)), .response(204),
      .failure(.notConnectedToInternet), .failure(.timedOut), .failure(.cancelled), .failure(.userAuthenticationRequired),
      .failure(.networkConnectionLost, afterHead: 200),
      .error(domain: NSPOSIXErrorDomain, code: 54), .notHTTP,
    ].map { .failure($0) }

  var response = StubServer.Response.response(200, body: Data("[]".utf8))
  var refresh = Refresh.credentials(lifetime: 900, keepsRefreshToken: false)
  /// The number of the token that each refresh token has obtained.
  private var numbers: [String: Int] = [:]
}

extension BackEnd {
  var announcesBlock: Bool { response.result == StubServer.Response.permanentBlock.result }

  /// Whether requests get a 401.
  var rejectsTokens: Bool {
    if case .response(401, _, _) = response { true } else { false }
  }

  /// The tokens that a refresh token obtains.
  mutating func renewed(_ refreshToken: String) -> (accessToken: String, refreshToken: String) {
    let number = numbers[refreshToken] ?? numbers.count + 2
    numbers[refreshToken] = number
    let token = "\(refreshToken.prefix { $0 != "-" })-\(number)"
    if case .credentials(_, keepsRefreshToken: false) = refresh { return (token, "\(token)-refresh") }
    return (token, refreshToken)
  }

  /// The response to a refresh.
  mutating func respondToRefresh(with refreshToken: String) -> StubServer.Response {
    switch refresh {
    case .credentials(let lifetime, let keepsRefreshToken):
      let new = renewed(refreshToken)
      let second = keepsRefreshToken ? "" : #", "refresh_token": "\#(new.refreshToken)""#
      return .response(200, body: Data(#"{"access_token": "\#(new.accessToken)", "expires_in": \#(lifetime)\#(second)}"#.utf8))
    case .failure(let response):
      return response
    }
  }
}

extension BackEnd.Refresh {
  var isSuccess: Bool {
    if case .credentials = self { true } else { false }
  }

  /// Whether new credentials, if there are any, are valid when they arrive.
  var isUseful: Bool {
    if case .credentials(let lifetime, _) = self { lifetime > 0 } else { true }
  }

  var told: String {
    switch self {
    case .credentials(let lifetime, let keepsRefreshToken):
      "new credentials with a lifetime of \(lifetime) seconds, \(keepsRefreshToken ? "without" : "with") a new refresh token"
    case .failure(let response): response.told
    }
  }
}

extension BackEnd {
  /// A back end that responds to the requests of a ``StubServer``, and that something can interrupt.
  final class Stub: Sendable {
    private let state = Locked<(backEnd: BackEnd, interruption: (moment: Moment, work: () -> Void)?)>((BackEnd(), nil))

    /// Changes how the back end responds.
    func change(_ change: (inout BackEnd) -> Void) {
      state.withLock { change(&$0.backEnd) }
    }

    /// Lets something happen when the back end reaches a moment for the first time from now on.
    func during(_ moment: Moment, _ work: @escaping () -> Void) {
      state.withLock { $0.interruption = (moment, work) }
    }

    /// Responds to a request.
    @Sendable func respond(to request: URLRequest) -> StubServer.Response {
      let path = request.url?.path ?? ""
      let moment = path == "/token" ? Moment.refresh : .request
      state.withLock { $0.interruption?.moment == moment ? $0.interruption.take()?.work : nil }?()
      return state.withLock { state in
        switch moment {
        case .refresh: state.backEnd.respondToRefresh(with: request.refreshInWords.token)
        case .request: state.backEnd.response.marked(path)
        }
      }
    }
  }
}

/// A request to the back end.
public struct BackEndRequest: Sendable {
  public enum Kind: Sendable {
    case get, getWithToken, getWithPassword, post, postWithStream

    static func random(using random: inout SeededRandom) -> Self {
      random.pick(.get, .get, .get, .getWithToken, .getWithPassword, .post, .postWithStream)
    }
  }

  let kind: Kind
  let path: String

  /// Creates a request.
  public init(_ kind: Kind = .get, _ path: String = "/articles") {
    (self.kind, self.path) = (kind, path)
  }

  /// The request, as the app makes it.
  var told: String {
    switch kind {
    case .get: sent
    case .getWithPassword: "GET \(path) with the header `Authorization: Basic callers-password`"
    case .getWithToken: "GET \(path) with callers-token in its `Authorization` header"
    case .post: "POST \(path) with the body \"draft\""
    case .postWithStream: "POST \(path) with the body stream \"draft\""
    }
  }

  var method: String {
    switch kind {
    case .get, .getWithToken, .getWithPassword: "GET"
    case .post, .postWithStream: "POST"
    }
  }

  /// What the caller's own header field `Authorization` holds.
  var token: String? {
    switch kind {
    case .getWithToken: "callers-token"
    case .getWithPassword: "`Authorization: Basic callers-password`"
    default: nil
    }
  }

  /// The request, as the back end receives it.
  var sent: String {
    "\(method) \(path)" + (method == "POST" ? " \"draft\"" : "")
  }

  public func made(for server: StubServer) -> URLRequest {
    var request = URLRequest(url: server.url(path))
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
    (request.cachePolicy, request.timeoutInterval, request.httpMethod) = (.returnCacheDataElseLoad, 7, method)
    switch kind {
    case .get: break
    case .getWithPassword: request.setValue("Basic callers-password", forHTTPHeaderField: "Authorization")
    case .getWithToken: request.setValue("Bearer callers-token", forHTTPHeaderField: "Authorization")
    case .post: request.httpBody = Data("draft".utf8)
    case .postWithStream: request.httpBodyStream = InputStream(data: Data("draft".utf8))
    }
    return request
  }
}

extension URLRequest {
  /// A request, as the back end receives it.
  var asReceived: String {
    let body = httpBody.flatMap { $0.isEmpty ? nil : " \"\(String(decoding: $0, as: UTF8.self))\"" } ?? ""
    return "\(httpMethod ?? "") \(url?.path ?? "")\(body) is sent with \(sentToken ?? "no token")"
      + (value(forHTTPHeaderField: "Accept-Language") == "de-DE" ? "" : ", without its other headers")
      + (cachePolicy == .returnCacheDataElseLoad && timeoutInterval == 7
        ? "" : ", with a changed cache policy or timeout")
  }

  /// The refresh token of a refresh, and the refresh in words.
  var refreshInWords: (token: String, words: String) {
    let body = String(decoding: httpBody ?? Data(), as: UTF8.self)
    let token = body.split(separator: "=").last.map(String.init) ?? ""
    return (
      token,
      "a refresh with \(token) starts" + (authorization == nil ? "" : ", with an access token")
        + (value(forHTTPHeaderField: "Accept-Language") == nil ? "" : ", with the headers of another request")
    )
  }
}

extension StubServer.Response {
  /// The outcome in a log.
  public var logged: String {
    switch self {
    case .response(let status, _, _): return "\(status)"
    case .failure(let code, _): return "\(NSURLErrorDomain) \(code.rawValue)"
    case .error(let domain, let code): return "\(domain) \(code)"
    case .notHTTP:
      let error = HTTPClientError.notHTTP as NSError
      return "\(error.domain) \(error.code)"
    }
  }

  /// What the caller receives if this is the response to a refresh.
  public var refreshResult: String {
    switch self {
    case .response(200, _, _): "DecodingError"
    case .response(_, _, let body) where String(decoding: body, as: UTF8.self).contains("invalid_grant"): "sessionExpired"
    case .response(let status, _, _): "TokenEndpoint.Unavailable(\(status))"
    default: result
    }
  }

  /// The same response with a header field that says whose it is.
  public func marked(_ path: String) -> Self {
    if case .response(let status, _, let body) = self { .response(status, headers: ["ETag": path], body: body) } else { self }
  }
}

extension HTTPResult {
  /// The status and the body of a response, or the error; and whether it is the response to another request.
  public func inWords(from path: String) -> String {
    guard case .success(let (data, response)) = self else { return inWords }
    let text = String(decoding: data, as: UTF8.self)
    let source = response.value(forHTTPHeaderField: "ETag") ?? "no path"
    return inWords + (text.isEmpty ? "" : " \(text)") + (source == path ? "" : " from \(source)")
  }
}
