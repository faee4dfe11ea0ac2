import Given
import TestSupport

/// What the page promises of the retries, as plain values.
struct RetryModel {
  struct Request {
    let path: String
    /// The request, in words.
    let words: String
    let isRepeatable: Bool
    var attempts = 1
    /// Whether an attempt is in flight.
    var isOpen = true
    /// The end of the wait.
    var deadline: TimeInterval?
    /// Whether it was canceled during an attempt.
    var isCanceled = false
    var hasWaitedAsRequested = false

    var canBeCanceled: Bool { (isOpen && !isCanceled) || deadline != nil }
  }

  private let attempts: Int
  private let delay: TimeInterval
  private let cap: TimeInterval
  private let jitter: Double
  private(set) var requests: [Request] = []
  private var sends: [String] = []
  /// The shortest and the longest time that each wait may take.
  private(set) var waits: [ClosedRange<TimeInterval>] = []
  private var outcomes: [String] = []
  private var now: TimeInterval = 0

  init(attempts: Int, delay: TimeInterval, cap: TimeInterval, jitter: Double) {
    (self.attempts, self.delay, self.cap, self.jitter) = (attempts, delay, cap, jitter)
  }

  var effects: [String] {
    sends.map { "\($0) is sent" } + waits.map(inWords) + outcomes
      + requests.filter(\.isCanceled).map { "the cancellation of \($0.path) reaches the client" }
  }

  func openRequest(_ path: String) -> Request? { requests.first { $0.path == path && $0.isOpen } }

  mutating func send(_ path: String, _ request: URLRequest) {
    let isIdempotent = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.httpMethod)
    let words = request.inWords
    requests.append(Request(path: path, words: words, isRepeatable: isIdempotent && request.httpBodyStream == nil))
    sends.append(words)
  }

  /// Whether the page leaves open how long a request waits after this end of an attempt: a wait that the server has requested may
  /// count toward the doubling, or not.
  func leavesWaitOpen(_ path: String, after end: Result<Int, SampleError>, retryAfter: String?) -> Bool {
    guard let request = openRequest(path), isTemporary(end), requestedWait(retryAfter) == nil else { return false }
    return request.hasWaitedAsRequested && delay < cap
  }

  /// - Parameters:
  ///   - path: The path of the request whose attempt ends.
  ///   - end: The status of the response, or the error.
  ///   - retryAfter: The header field of the response.
  /// - Returns: How long the request may wait before its next attempt; `nil` if there is none.
  mutating func end(_ path: String, with end: Result<Int, SampleError>, retryAfter: String?) -> ClosedRange<TimeInterval>? {
    guard let index = requests.firstIndex(where: { $0.path == path }) else { return nil }
    requests[index].isOpen = false
    let request = requests[index]
    let requested = requestedWait(retryAfter)
    let own = min(cap, (1..<request.attempts).reduce(delay) { delay, _ in delay * 2 }) * jitter
    let pause = requested ?? own
    guard isTemporary(end), request.isRepeatable, request.attempts < attempts, pause <= cap, !request.isCanceled else {
      switch end {
      case .success(let status): outcomes.append(inWords(path, "the \(status) of attempt \(request.attempts)"))
      case .failure(let trouble): outcomes.append(inWords(path, trouble.inWords))
      }
      return nil
    }
    requests[index].hasWaitedAsRequested = request.hasWaitedAsRequested || requested != nil
    return pause...(requested == nil ? pause : cap)
  }

  /// - Parameters:
  ///   - path: The path of the request that waits.
  ///   - range: How long it may wait.
  ///   - chosen: How long the solution waits; `nil` if it does not.
  mutating func wait(_ path: String, for range: ClosedRange<TimeInterval>, chosen: TimeInterval?) {
    guard let index = requests.firstIndex(where: { $0.path == path }) else { return }
    let pause = chosen.flatMap { range.contains($0) ? $0 : nil } ?? range.lowerBound
    requests[index].deadline = now + pause
    if pause > 0 { waits.append(range) }
    advance(by: 0)
  }

  /// How long the wait with a number may take, if the solution's is one of those. Otherwise, how long that one takes.
  func wait(_ number: Int, takes seconds: TimeInterval) -> ClosedRange<TimeInterval> {
    waits.indices.contains(number) && waits[number].contains(seconds) ? waits[number] : seconds...seconds
  }

  func inWords(_ wait: ClosedRange<TimeInterval>) -> String {
    let longest = wait.lowerBound < wait.upperBound ? " to \(wait.upperBound)" : ""
    return "a wait of \(wait.lowerBound)\(longest) seconds begins"
  }

  mutating func advance(by seconds: TimeInterval) {
    now += seconds
    for index in requests.indices {
      guard let deadline = requests[index].deadline, deadline <= now else { continue }
      requests[index].deadline = nil
      requests[index].isOpen = true
      requests[index].attempts += 1
      sends.append(requests[index].words)
    }
  }

  mutating func cancel(_ index: Int) {
    if requests[index].deadline == nil {
      requests[index].isCanceled = true
    } else {
      requests[index].deadline = nil
      outcomes.append(inWords(requests[index].path, CancellationError().inWords))
    }
  }

  /// Whether a request was canceled during an attempt that is still in flight.
  func mayEndEarly(_ path: String) -> Bool { requests.contains { $0.path == path && $0.isCanceled && $0.isOpen } }

  /// A request that was canceled during an attempt ends with the result of that attempt, or with a `CancellationError`.
  func inWords(_ path: String, _ outcome: String) -> String {
    let isCanceled = requests.contains { $0.path == path && $0.isCanceled }
    return isCanceled ? "\(path) ends" : "\(path) receives \(outcome)"
  }

  private func isTemporary(_ end: Result<Int, SampleError>) -> Bool {
    switch end {
    case .success(let status): [503, 429].contains(status)
    case .failure(let trouble): trouble == .timedOut
    }
  }

  /// The wait in seconds that a `Retry-After` requests; `nil` if it is not a whole number.
  private func requestedWait(_ retryAfter: String?) -> TimeInterval? {
    guard let seconds = retryAfter.flatMap(Int.init), seconds >= 0 else { return nil }
    return TimeInterval(seconds)
  }
}
