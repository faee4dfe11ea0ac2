import Given
import TestSupport

/// What the page promises, as plain values.
struct RefreshModel {
  struct Request {
    var path: String
    /// The path that its completion loads: after a 200, or after any result.
    var next: (path: String, followsAnyResult: Bool)?
    /// The status of the response to the first attempt, if the client responds before its `load` returns.
    var immediateStatus: Int?
    /// Whether the body is a stream, which can be read only once.
    var isStreaming = false
    /// The credentials of the first attempt, if the server has rejected them.
    var rejected: Credentials?
  }

  /// A refresh that is under way.
  struct Refresh {
    let old: Credentials
    var waiting: [Request] = []
  }

  /// What an event has led to that a story has to know.
  struct Event {
    /// How the refresh that it starts ends before the call to the refresher returns, and how it has ended.
    var immediateEnd: ((Credentials) -> Result<Credentials, any Error>)?
    var ended: (old: Credentials, result: Result<Credentials, any Error>)?
    /// Credentials that are being refreshed, if no one can tell from outside whether a request waits for the end of that.
    var overtaken: Credentials?
    /// How many requests have needed credentials, and which of them have joined a refresh.
    var arrivals = 0
    var joined: [Request] = []
  }

  let now: () -> Date
  var stored: Credentials?
  /// Whether completions can still load requests.
  var isReleased = false
  var event = Event()
  private(set) var refreshes: [Refresh] = []
  private var sent: [(request: Request, credentials: Credentials)] = []
  private var rejectedTokens: Set<String> = []
  /// Everything that may be observed.
  private(set) var effects: [String] = []

  init(stored: Credentials?, now: @escaping () -> Date) {
    self.stored = stored
    self.now = now
  }

  /// Whether the stored token is one that the server has rejected, and neither expired nor being refreshed.
  var isTokenInDoubt: Bool {
    guard let stored, rejectedTokens.contains(stored.accessToken) else { return false }
    return now() < stored.expiresAt && !refreshes.contains { $0.old == stored }
  }

  /// Whether all requests are complete.
  var isIdle: Bool { sent.isEmpty && refreshes.isEmpty }

  /// Whether a request has been sent with credentials whose refresh token is in use, although the user has signed in again.
  func waitsForAnOvertakenRefresh(_ send: String) -> Bool {
    sent.contains { request, credentials in
      send == request.path.sent(with: credentials)
        && refreshes.contains { $0.old.refreshToken == credentials.refreshToken && $0.old != stored }
    }
  }

  func leadsToARequest(_ send: String, _ status: Int?) -> Bool {
    sent.contains { request, credentials in
      send == request.path.sent(with: credentials)
        && (status == 401 && request.rejected == nil || status == 200 && request.next != nil && !isReleased)
    }
  }

  /// Sends a request with valid credentials, or makes it wait for a refresh.
  mutating func load(_ request: Request) {
    event.arrivals += 1
    event.overtaken = refreshes.first { $0.old != stored }?.old
    guard let stored else { return deliver(.failure(HTTPClientError.signedOut), to: request) }

    if let index = refreshes.firstIndex(where: { $0.old == stored }) {
      refreshes[index].waiting.append(request)
      event.joined.append(request)
    } else if now() >= stored.expiresAt || stored.accessToken == request.rejected?.accessToken {
      effects.append("a refresh with \(stored.refreshToken) starts")
      refreshes.append(Refresh(old: stored, waiting: [request]))
      if let result = event.immediateEnd.take()?(stored) {
        event.ended = (stored, result)
        endRefresh(of: stored, with: result)
      }
    } else {
      send(request, with: stored)
    }
  }

  mutating func endRefresh(of old: Credentials, with result: Result<Credentials, any Error>) {
    guard let index = refreshes.firstIndex(where: { $0.old == old }) else { return }
    let waiting = refreshes.remove(at: index).waiting
    guard stored == old else {
      for request in waiting { deliver(.failure(HTTPClientError.signedOut), to: request) }
      return
    }
    switch result {
    case .success(let new):
      stored = new
      effects.append("\(new.accessToken) is stored")
      for request in waiting { send(request, with: new) }
    case .failure(is TokenEndpoint.Refused):
      for request in waiting { deliver(.failure(HTTPClientError.sessionExpired), to: request) }
    case .failure(let error):
      for request in waiting { deliver(.failure(error), to: request) }
    }
  }

  private mutating func send(_ request: Request, with credentials: Credentials) {
    var request = request
    let status = request.immediateStatus.take()
    let send = request.path.sent(with: credentials)
    effects.append(send)
    sent.append((request, credentials))
    if let status { endRequest(send, with: .response(status, to: request.path, sentWith: credentials.accessToken)) }
  }

  mutating func endRequest(_ send: String, with result: HTTPResult) {
    guard let index = sent.firstIndex(where: { send == $0.request.path.sent(with: $0.credentials) }) else { return }
    var (request, credentials) = sent.remove(at: index)
    if result.isRejection { rejectedTokens.insert(credentials.accessToken) }
    if result.isRejection, request.rejected == nil, !request.isStreaming {
      request.rejected = credentials
      load(request)
    } else {
      deliver(result, to: request)
    }
  }

  private mutating func deliver(_ result: HTTPResult, to request: Request) {
    effects.append(result.received(for: request.path))
    guard let next = request.next, result.isSuccessful || next.followsAnyResult, !isReleased else { return }
    load(Request(path: next.path))
  }
}

extension String {
  /// The path of a request, as it is sent.
  fileprivate func sent(with credentials: Credentials) -> String {
    "\(self) is sent with \(credentials.accessToken)"
  }
}
