import Given
import Testing

/// A server for one test. `URLSession` is real; only the network behind it is stubbed.
///
/// Each server has a unique host name, so that tests can run in parallel.
public final class StubServer: Sendable {
  /// The server's response to a request.
  public enum Response: Sendable {
    /// A response with a status, header fields, and a body.
    case response(Int, headers: [String: String] = [:], body: Data = Data())
    /// The transport fails. With a status, the head of a response and a part of its body arrive first.
    case failure(URLError.Code, afterHead: Int? = nil)
    /// No response: the transport fails with an error that is not a `URLError`.
    case error(domain: String, code: Int)
    /// A response that is not HTTP.
    case notHTTP
  }

  /// One configuration for all servers, since on Linux each new ephemeral configuration reads the file system. A session copies it.
  private static let configuration = Locked(makeConfiguration())

  private let host = "\(UUID().uuidString.lowercased()).test"
  private let wire: Wire

  /// A session whose requests never leave the process.
  public let session: URLSession

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - queue: The queue to respond on. A closure that makes a response may block this queue, to keep the request in flight. If
  ///     `queue` is `nil`, the closure must never block.
  ///   - notice: A closure that is called with each request when it arrives, before the response.
  public init(respondingOn queue: DispatchQueue? = nil, noticing notice: @escaping @Sendable (URLRequest) -> Void = { _ in }) {
    session = Self.configuration.withLock { Session(configuration: $0) }
    wire = Wire(respondingOn: queue, from: session.taskQueue, noticing: notice)
    StubURLProtocol.register(wire, for: host)
  }

  private static func makeConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubURLProtocol.self]
    // Every request has to reach the stub.
    configuration.urlCache = nil
    return configuration
  }

  // The session stays valid: a solution that sends requests without end would crash with an invalidated one.
  deinit {
    StubURLProtocol.unregister(host)
  }

  /// Makes a URL on this server.
  ///
  /// - Parameter path: The path and query, for example `/articles?page=2`.
  public func url(_ path: String) -> URL {
    URL(string: "https://\(host)\(path)")!
  }

  /// Sets the response to requests for a path. Without it, the response is an empty 404.
  ///
  /// - Parameters:
  ///   - path: The path, without a query.
  ///   - response: A closure that receives each request and returns the response.
  public func respond(to path: String, with response: @escaping @Sendable (URLRequest) -> Response) {
    wire.state.withLock { $0.responses[path] = response }
  }

  /// Sets the response to requests for a path.
  public func respond(to path: String, with response: Response) {
    self.respond(to: path) { _ in response }
  }

  /// Loads a request, waits for its result, and checks that there is exactly one.
  ///
  /// - Parameters:
  ///   - request: The request to load.
  ///   - sourceLocation: The source location of issues.
  ///   - load: A closure that loads the request with the object under test.
  /// - Returns: The result.
  /// - Throws: An error if no result was delivered. It has been reported as an issue.
  public func load(
    _ request: URLRequest,
    sourceLocation: SourceLocation = #_sourceLocation, by load: (URLRequest, @escaping HTTPClient.Completion) -> Void
  ) async throws -> HTTPResult {
    let results = Inbox<HTTPResult>()

    load(request, results.receive)

    return try await results.only(
      requests.isEmpty
        ? "The completion was never called, and the server received no request. Was the task started?"
        : """
        The completion was never called. The server has responded to \(paths.joined(separator: ", ")) and received no other \
        request. Does every branch of your code call the completion, even if nothing but the request in flight retains your object?
        """,
      settled: settled, sourceLocation: sourceLocation)
  }

  /// The requests received so far, oldest first, each with its body in `httpBody`.
  public var requests: [URLRequest] {
    wire.state.withLock { $0.requests }
  }

  /// The paths of the requests received so far, oldest first.
  public var paths: [String] {
    requests.map { $0.url?.path ?? "" }
  }

  /// Waits until every completion that the session has called so far has returned, and the main queue has run the work that they
  /// submitted to it.
  public func settled() async {
    let isDone = Inbox<Void>()
    session.delegateQueue.addOperation { isDone.receive(()) }
    let hasReturned = await isDone.receives(1)
    #expect(hasReturned, "The session called a completion that never returned. Does the completion wait for something?")
    await mainQueueDrained()
  }
}

extension StubServer.Response: CustomTestStringConvertible {
  /// What the caller receives, in words.
  public var result: String {
    switch self {
    case .response(let status, _, let body): body.isEmpty ? "\(status)" : "\(status) \(String(decoding: body, as: UTF8.self))"
    case .failure(let code, _): "URLError \(code.rawValue)"
    case .error(let domain, let code): "NSError \(domain) \(code)"
    case .notHTTP: "notHTTP"
    }
  }

  /// The response in words.
  public var told: String {
    switch self {
    case .notHTTP: "a response that is not HTTP"
    case .failure(_, let status?): "\(result) after the head of a \(status)"
    default: result
    }
  }

  public var testDescription: String { told }

  /// What the caller receives if this is the response to a refresh.
  public var refreshResult: String {
    switch self {
    case .response(200, _, _): "DecodingError"
    case .response(_, _, let body) where String(decoding: body, as: UTF8.self).contains("invalid_grant"): "sessionExpired"
    case .response(let status, _, _): "TokenEndpoint.Unavailable(\(status))"
    default: result
    }
  }
}

/// The network behind a session.
private final class Wire: Sendable {
  struct State {
    var requests: [URLRequest] = []
    var responses: [String: @Sendable (URLRequest) -> StubServer.Response] = [:]
  }

  let state = Locked(State())
  let queue: DispatchQueue?
  let taskQueue: DispatchQueue?
  private let notice: @Sendable (URLRequest) -> Void

  init(
    respondingOn queue: DispatchQueue?, from taskQueue: DispatchQueue?, noticing notice: @escaping @Sendable (URLRequest) -> Void
  ) {
    self.queue = queue
    self.taskQueue = taskQueue
    self.notice = notice
  }

  func receive(_ request: URLRequest) -> StubServer.Response {
    notice(request)
    let response = state.withLock { state in
      state.requests.append(request)
      return state.responses[request.url?.path ?? ""]
    }
    return response?(request) ?? .response(404)
  }
}

/// Finds the wire for a request by its host.
private final class StubURLProtocol: URLProtocol {
  private static let wires = Locked<[String: Wire]>([:])

  static func register(_ wire: Wire, for host: String) {
    wires.withLock { $0[host] = wire }
  }

  static func unregister(_ host: String) {
    wires.withLock { $0[host] = nil }
  }

  // Handles every request of the session, with any host: no request may reach the real network.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url, let wire = Self.wires.withLock({ $0[url.host ?? ""] }) else {
      client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
      return
    }

    let received = request.withBodyRead()
    guard let queue = wire.queue else { return respond(from: url, with: wire.receive(received)) }
    let handover = Handover(self)
    queue.async {
      let response = wire.receive(received)
      guard let taskQueue = wire.taskQueue else { return handover.value.respond(from: url, with: response) }
      taskQueue.async { handover.value.respond(from: url, with: response) }
    }
  }

  /// A response to a canceled request is dropped: FoundationNetworking crashes if it arrives.
  private let isStopped = Locked(false)

  override func stopLoading() { isStopped.withLock { $0 = true } }

  private func respond(from url: URL, with response: StubServer.Response) {
    guard !isStopped.withLock({ $0 }) else { return }
    switch response {
    case .response(let status, let headers, let body):
      begin(with: head(status, headers, from: url), body)
      client?.urlProtocolDidFinishLoading(self)
    case .notHTTP:
      begin(with: URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil), Data())
      client?.urlProtocolDidFinishLoading(self)
    case .failure(let code, let status):
      if let status { begin(with: head(status, ["Content-Type": "application/json"], from: url), Data("[".utf8)) }
      client?.urlProtocol(self, didFailWithError: URLError(code))
    case .error(let domain, let code):
      client?.urlProtocol(self, didFailWithError: NSError(domain: domain, code: code))
    }
  }

  private func head(_ status: Int, _ headers: [String: String], from url: URL) -> URLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)!
  }

  private func begin(with response: URLResponse, _ body: Data) {
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    if !body.isEmpty { client?.urlProtocol(self, didLoad: body) }
  }
}

#if canImport(FoundationNetworking)
  /// A session that passes on the response with an error, if there is one, as Apple documents it:
  /// "If a response from the server is received, regardless of whether the request completes successfully or fails, the response
  /// parameter contains that information."
  ///
  /// FoundationNetworking passes `nil, nil, error`, so a mistake with that response would show on a Mac only.
  private final class Session: URLSession, @unchecked Sendable {
    override func dataTask(
      with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
      let task = Locked<URLSessionDataTask?>(nil)
      let new = super.dataTask(with: request) { data, response, error in
        completionHandler(data, response ?? task.withLock { $0 }?.response, error)
      }
      task.withLock { $0 = new }
      return new
    }
  }
#else
  private typealias Session = URLSession
#endif

extension URLSession {
  /// The queue on which a session on Linux uses its list of tasks; `nil` with Apple's Foundation.
  ///
  /// FoundationNetworking reads that list without a lock when a protocol responds. From another queue, it crashes now and then.
  fileprivate var taskQueue: DispatchQueue? {
    Mirror(reflecting: self).superclassMirror?.descendant("workQueue") as? DispatchQueue
  }
}

extension URLRequest {
  /// Apple's `URLSession` passes the body to a `URLProtocol` as a stream. This method reads the stream.
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
