import Given
import Testing

/// A server of one test's own: `URLSession` is real, only the wire is stubbed.
///
/// Each server has a host name that nobody else has, so that tests in parallel do not meet.
public final class StubServer: Sendable {
  /// What the server does with a request.
  public enum Answer: Sendable {
    /// A response with a status, header fields and a body.
    case response(Int, headers: [String: String] = [:], body: Data = Data())
    /// No response: the transport fails.
    case failure(URLError.Code)
    /// No response: the transport fails with an error that is not a `URLError`.
    case error(domain: String, code: Int)
    /// A response that is not HTTP.
    case notHTTP
  }

  private let host = "\(UUID().uuidString.lowercased()).test"
  private let wire: Wire

  /// A session whose requests to this server do not leave the process.
  public let session: URLSession

  /// - Parameter notice: Called with each request when it arrives, before it is answered.
  public init(noticing notice: @escaping @Sendable (URLRequest) -> Void = { _ in }) {
    wire = Wire(noticing: notice)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubURLProtocol.self]
    session = URLSession(configuration: configuration)
    StubURLProtocol.register(wire, for: host)
  }

  deinit {
    StubURLProtocol.unregister(host)
    // Whoever lets go of the server may do so on the session's own queue, and that is no place to end the session.
    DispatchQueue.global().async { [session] in session.invalidateAndCancel() }
  }

  /// An address on this server.
  ///
  /// - Parameter path: Path and query, as in `/articles?page=2`.
  public func url(_ path: String) -> URL {
    URL(string: "https://\(host)\(path)")!
  }

  /// Says what requests to a path are answered with. Until then, the answer is an empty 404.
  ///
  /// - Parameters:
  ///   - path: The path, without a query.
  ///   - answer: Called with each request to it.
  public func answer(_ path: String, with answer: @escaping @Sendable (URLRequest) -> Answer) {
    wire.state.withLock { $0.answers[path] = answer }
  }

  /// Says what requests to a path are answered with.
  public func answer(_ path: String, with answer: Answer) {
    self.answer(path) { _ in answer }
  }

  /// Has a request loaded, waits for the answer, and checks that there is exactly one.
  ///
  /// - Parameters:
  ///   - request: What to load.
  ///   - suspicion: What to ask the learner when nothing was answered and nothing was sent either.
  ///   - sourceLocation: Where to report.
  ///   - load: Loads it, with the test subject and its session.
  /// - Throws: When no answer came, which it has reported by then.
  public func load(
    _ request: URLRequest, suspicion: String = "was the task started?",
    sourceLocation: SourceLocation = #_sourceLocation, by load: (URLRequest, @escaping HTTPClient.Completion) -> Void
  ) async throws -> HTTPResult {
    let answers = Inbox<HTTPResult>()

    load(request, answers.receive)

    return try await answers.only(
      requests.isEmpty
        ? "The completion was never called. The server has not seen a request either: \(suspicion)"
        : """
        The completion was never called. The server has answered \(paths.joined(separator: ", ")), and was asked nothing else: \
        what does the request wait for? Does the answer reach the completion, even if nobody else holds on to the object?
        """,
      settled: settled, sourceLocation: sourceLocation)
  }

  /// The requests that have arrived, oldest first, each with its body in `httpBody`.
  public var requests: [URLRequest] {
    wire.state.withLock { $0.requests }
  }

  /// The paths of the requests that have arrived, oldest first.
  public var paths: [String] {
    requests.map { $0.url?.path ?? "" }
  }

  /// Waits until the session has returned from every completion that it has called so far, and the main queue has run what
  /// those submitted to it.
  public func settled() async {
    let isDone = Inbox<Void>()
    session.delegateQueue.addOperation { isDone.receive(()) }
    let hasReturned = await isDone.receives(1)
    #expect(hasReturned, "A completion of the session's never returned: something blocks its queue.")
    await mainQueueDrained()
  }
}

extension StubServer.Answer {
  /// The articles, as the back end sends them.
  public static let articles = Self.response(200, headers: ["ETag": "42"], body: Data(#"["Around, not inside"]"#.utf8))
}

extension StubServer.Answer: CustomTestStringConvertible {
  public var testDescription: String {
    switch self {
    case .response(let status, _, let body): "\(status) \(String(decoding: body, as: UTF8.self))"
    case .failure(let code): "URLError \(code.rawValue)"
    case .error(let domain, let code): "\(domain) \(code)"
    case .notHTTP: "a response that is not HTTP"
    }
  }
}

/// The far end of a server's sessions.
private final class Wire: Sendable {
  struct State {
    var requests: [URLRequest] = []
    var answers: [String: @Sendable (URLRequest) -> StubServer.Answer] = [:]
  }

  let state = Locked(State())
  private let notice: @Sendable (URLRequest) -> Void

  init(noticing notice: @escaping @Sendable (URLRequest) -> Void) {
    self.notice = notice
  }

  func receive(_ request: URLRequest) -> StubServer.Answer {
    notice(request)
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers[request.url?.path ?? ""]
    }
    return answer?(request) ?? .response(404)
  }
}

/// Finds the wire that a request goes to by its host.
private final class StubURLProtocol: URLProtocol {
  private static let wires = Locked<[String: Wire]>([:])

  static func register(_ wire: Wire, for host: String) {
    wires.withLock { $0[host] = wire }
  }

  static func unregister(_ host: String) {
    wires.withLock { $0[host] = nil }
  }

  // Takes every request of the session, whatever its host: none must reach the real network.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url, let wire = Self.wires.withLock({ $0[url.host ?? ""] }) else {
      client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
      return
    }

    switch wire.receive(request.withBodyRead()) {
    case .response(let status, let headers, let body):
      let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
      finish(with: response, body)
    case .notHTTP:
      finish(with: URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil), Data())
    case .failure(let code):
      client?.urlProtocol(self, didFailWithError: URLError(code))
    case .error(let domain, let code):
      client?.urlProtocol(self, didFailWithError: NSError(domain: domain, code: code))
    }
  }

  override func stopLoading() {}

  private func finish(with response: URLResponse, _ body: Data) {
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: body)
    client?.urlProtocolDidFinishLoading(self)
  }
}

extension URLRequest {
  /// Apple's `URLSession` hands a protocol the body as a stream; this reads it back.
  fileprivate func withBodyRead() -> URLRequest {
    guard httpBody == nil, let stream = httpBodyStream else { return self }
    stream.open()
    defer { stream.close() }

    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
      body.append(contentsOf: buffer[..<count])
    }
    var request = self
    request.httpBody = body
    return request
  }
}
