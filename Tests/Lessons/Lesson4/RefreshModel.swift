import Given
import TestSupport

import typealias TestSupport.HTTPResult

/// The rules of the page, as plain values.
struct RefreshModel {
  struct Request {
    var path: String
    /// The path that its completion loads after a 200.
    var next: String?
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

  /// What an event has led to that a run has to know.
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

  /// Whether all requests are complete.
  var isIdle: Bool { sent.isEmpty && refreshes.isEmpty }

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
      effects.append("\(new.inWords) is stored")
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
    effects.append("\(request.path) is sent with \(credentials.accessToken)")
    sent.append((request, credentials))
    if let status {
      endRequest(
        request.path, sentWith: credentials.accessToken,
        with: .response(status, to: request.path, sentWith: credentials.accessToken))
    }
  }

  mutating func endRequest(_ path: String, sentWith token: String, with result: HTTPResult) {
    guard let index = indexOfSent(path, token) else { return }
    var (request, credentials) = sent.remove(at: index)
    if result.status == 401 { rejectedTokens.insert(token) }
    if result.status == 401, request.rejected == nil, !request.isStreaming {
      request.rejected = credentials
      load(request)
    } else {
      deliver(result, to: request)
    }
  }

  private mutating func deliver(_ result: HTTPResult, to request: Request) {
    effects.append("\(request.path) receives \(result.inWordsWithBody)")
    guard let next = request.next, result.status == 200, !isReleased else { return }
    load(Request(path: next))
  }

  private func indexOfSent(_ path: String, _ token: String) -> Int? {
    sent.firstIndex { $0.request.path == path && $0.credentials.accessToken == token }
  }
}

// What the page leaves open.
extension RefreshModel {
  /// Whether the stored token is one that the server has rejected, and neither expired nor being refreshed. A solution may remember
  /// that token, and refresh it for each request.
  var isTokenInDoubt: Bool {
    guard let stored, rejectedTokens.contains(stored.accessToken) else { return false }
    return now() < stored.expiresAt && !refreshes.contains { $0.old == stored }
  }

  /// Whether it is open what a response to a request leads to.
  func leavesOpen(_ status: Int, to path: String, sentWith token: String) -> Bool {
    guard let (request, credentials) = indexOfSent(path, token).map({ sent[$0] }) else { return false }
    if status == 401, let stored {
      // The request is a previous user's, or its refresh token is in use, although the user has signed in again.
      let isOvertaken = refreshes.contains { $0.old.refreshToken == credentials.refreshToken && $0.old != stored }
      if isOvertaken || token.user != stored.user { return true }
    }
    let leadsToARequest = status == 401 && request.rejected == nil || status == 200 && request.next != nil && !isReleased
    return isTokenInDoubt && leadsToARequest
  }
}

extension HTTPResult {
  /// A response whose body says what it responds to.
  static func response(_ status: Int, to path: String, sentWith token: String) -> HTTPResult {
    .status(status, "to \(path) with \(token)")
  }

  var status: Int? { (try? get())?.1.statusCode }
}
