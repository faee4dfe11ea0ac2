import Given
import TestSupport

@testable import Exercise9

/// A story about requests, a busy server, and a clock.
final class RetryStory: Story {
  enum Event: Sendable {
    case send(String = "GET", StoryRequest = .plain, isStreaming: Bool = false)
    case respond(Int = 0, status: Int, retryAfter: String? = nil)
    case fail(Int = 0, with: Trouble)
    case advance(TimeInterval)
    case cancel(Int = 0)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<21, using: &random) {
    case 0..<3:
      return .send(
        ["GET", "GET", "HEAD", "OPTIONS", "PUT", "PUT", "DELETE", "POST", "UNHEARD-OF"].randomElement(using: &random)!,
        Int.random(in: 0..<3, using: &random) == 0 ? .random(using: &random) : .plain)
    case 3..<6: return .respond(position, status: [503, 429].randomElement(using: &random)!, retryAfter: nil)
    case 6..<11:
      return .respond(
        position, status: [503, 429, 500].randomElement(using: &random)!,
        retryAfter: ["0", "0", "1", "2", "60", "61", "4294967296", "soon", "1.5", "-5", "Wed, 21 Oct 2026 07:28:00 GMT"]
          .randomElement(using: &random)!)
    case 11: return .respond(position, status: [200, 404, 500, 502, 504].randomElement(using: &random)!, retryAfter: nil)
    case 12: return .fail(position, with: Bool.random(using: &random) ? .connectionLost : .random(using: &random))
    case 13..<16: return .fail(position, with: .timedOut)
    case 16..<19: return .advance([0.125, 0.5, 1, 2.5, 60].randomElement(using: &random)!)
    default: return .cancel(position)
    }
  }

  static func simpler(_ event: Event) -> [Event] {
    guard case .send(let method, let request, let isStreaming) = event else { return [] }
    return request.simpler.map { .send(method, $0, isStreaming: isStreaming) }
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let client = AsyncCalls<URLRequest, Response>(to: "the client", endsWhenCanceled: false)
  private let results = Inbox<(path: String, outcome: String)>()
  private let sut: Middleware
  private var requests: [Running<Void>] = []
  private var names = StoryNames()
  private var model: RetryModel

  /// - Parameter jitter: What `jitter` does to each wait: 1 leaves it as it is, and 0.5 halves it.
  init(attempts: Int, delay: TimeInterval, cap: TimeInterval = 60, jitter: Double = 1) {
    model = RetryModel(attempts: attempts, delay: delay, cap: cap, jitter: jitter)
    sut = retrying(
      upTo: attempts, after: .seconds(delay), waitingAtMost: .seconds(cap), jitter: { $0 * jitter }, clock: clock)
  }

  convenience init(using random: inout SeededRandom) {
    self.init(
      attempts: Int.random(in: 1...4, using: &random), delay: [0.5, 1, 10].randomElement(using: &random)!,
      cap: [0.75, 2.5, 60].randomElement(using: &random)!, jitter: [1, 1, 0.5].randomElement(using: &random)!)
  }

  var setting: [String] {
    let attempts = model.attempts == 1 ? "1 attempt is" : "\(model.attempts) attempts are"
    let jitter = model.jitter == 1 ? "" : " `jitter` halves each wait."
    return ["At most \(attempts) allowed. The delay is \(model.delay) seconds, and the cap is \(model.cap) seconds.\(jitter)"]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .send(let method, let request, let isStreaming): send(method, request, streaming: isStreaming)
    case .respond(let position, let status, let retryAfter):
      await end(
        at: position, with: { .success(response(status, "attempt \($0)", retryAfter: retryAfter)) },
        retryAfter: retryAfter)
    case .fail(let position, let failure): await end(at: position, with: { _ in .failure(failure.error) }, retryAfter: nil)
    case .advance(let seconds): advance(by: seconds)
    case .cancel(let position): cancel(at: position)
    }
  }

  var expected: [String] {
    model.sends.map { "\($0) is sent" } + model.waits.map(model.inWords) + model.outcomes
      + model.requests.filter { $0.isCanceled }.map { "the cancellation of \($0.path) reaches the client" }
  }

  var observed: [String] {
    client.arguments.map { "\($0.inWords) is sent" }
      + waits.enumerated().map { model.inWords(model.wait($0.offset, takes: $0.element)) }
      + results.values.filter { !model.mayEndEarly($0.path) }.map { model.inWords($0.path, $0.outcome) }
      + client.cancelled.map { "the cancellation of \(client.arguments[$0].url?.path ?? "") reaches the client" }
  }

  /// How long the solution has waited so far. A wait of no time may be left out.
  private var waits: [TimeInterval] { clock.sleeps.values.filter { $0 > .zero }.map { $0 / .seconds(1) } }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    if !client.unfinished.isEmpty { return .respond(0, status: 200, retryAfter: nil) }
    return model.requests.contains { $0.deadline != nil } ? .advance(60) : nil
  }

  private func send(_ method: String, _ request: StoryRequest, streaming isStreaming: Bool) -> String? {
    let path = names.path()
    var request = request.request(for: path)
    request.httpMethod = method
    if isStreaming { request.httpBodyStream = InputStream(data: Data("a long article".utf8)) }
    let isRepeatable = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method) && request.httpBodyStream == nil
    model.send(path, request.inWords, isRepeatable: isRepeatable)
    requests.append(
      Running { [request, sut, client, results] in
        do {
          let response = try await sut(request) { try await client.receive($0) }
          let body = String(decoding: response.data, as: UTF8.self)
          results.receive((path, "the \(response.head.statusCode) of \(body)"))
        } catch {
          results.receive((path, error.inWords))
        }
      })
    return "\(time): The app sends \(request.inWords)."
  }

  private func end(
    at position: Int, with result: (Int) -> Result<Response, any Error>, retryAfter: String?
  ) async -> String? {
    guard let index = client.unfinished.newest(position) else { return nil }
    let path = client.arguments[index].url?.path ?? ""
    guard let request = model.requests.first(where: { $0.path == path }), request.isOpen else { return nil }
    let result = result(request.attempts)
    let status = (try? result.get())?.head.statusCode
    let isTemporary = [503, 429].contains(status) || (result.failure as? URLError)?.code == .timedOut
    let seconds = status == nil ? nil : retryAfter.flatMap(Int.init).flatMap { $0 < 0 ? nil : $0 }
    // Whether a requested wait counts toward the doubling is left open.
    if isTemporary, seconds == nil, request.hasWaitedAsRequested, model.delay < model.cap { return nil }
    let outcome = status.map { "the \($0) of attempt \(request.attempts)" } ?? result.failure?.inWords ?? ""
    let pause = model.end(path, with: outcome, isTemporary: isTemporary, retryAfter: seconds)
    client.finish(index, with: result)
    if let pause {
      // The solution may wait longer than the server requests. The model then waits as long.
      if pause.lowerBound < pause.upperBound { await eventually { observed.count > expected.count } }
      model.wait(path, for: pause, chosen: waits.dropFirst(model.waits.count).first)
    }
    let end = status.map { "a \($0)\(retryAfter.map { " (`Retry-After: \($0)`)" } ?? "")" } ?? outcome
    return "\(time): Attempt \(request.attempts) of \(path) ends with \(end)."
  }

  private func advance(by seconds: TimeInterval) -> String? {
    model.advance(by: seconds)
    clock.advance(by: seconds)
    return "\(seconds) seconds pass. It is \(time)."
  }

  private func cancel(at position: Int) -> String? {
    let running = model.requests.indices.filter { model.requests[$0].canBeCanceled }
    guard let index = running.newest(position) else { return nil }
    let request = model.requests[index]
    model.cancel(index)
    requests[index].cancel()
    return
      "\(time): \(request.path) is canceled \(request.isOpen ? "during an attempt, which hasn't ended yet" : "during a wait")."
  }

  private var time: String { clock.date.inWords }
}

/// What the page promises, as plain values.
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

  let attempts: Int
  let delay: TimeInterval
  let cap: TimeInterval
  let jitter: Double
  private(set) var requests: [Request] = []
  private(set) var sends: [String] = []
  /// The shortest and the longest time that each wait may take.
  private(set) var waits: [ClosedRange<TimeInterval>] = []
  private(set) var outcomes: [String] = []
  private var now: TimeInterval = 0

  init(attempts: Int, delay: TimeInterval, cap: TimeInterval, jitter: Double) {
    (self.attempts, self.delay, self.cap, self.jitter) = (attempts, delay, cap, jitter)
  }

  mutating func send(_ path: String, _ words: String, isRepeatable: Bool) {
    requests.append(Request(path: path, words: words, isRepeatable: isRepeatable))
    sends.append(words)
  }

  /// - Parameters:
  ///   - path: The path of the request whose attempt ends.
  ///   - outcome: What the request ends with if this attempt is the last one.
  ///   - isTemporary: Whether the attempt ends with a 503, a 429 or a timeout.
  ///   - retryAfter: The wait that the server requests.
  /// - Returns: How long the request may wait before its next attempt; `nil` if there is none.
  mutating func end(
    _ path: String, with outcome: String, isTemporary: Bool, retryAfter: Int?
  ) -> ClosedRange<TimeInterval>? {
    guard let index = requests.firstIndex(where: { $0.path == path }) else { return nil }
    requests[index].isOpen = false
    let request = requests[index]
    let own = min(cap, (1..<request.attempts).reduce(delay) { delay, _ in delay * 2 }) * jitter
    let pause = retryAfter.map(TimeInterval.init) ?? own
    guard isTemporary, request.isRepeatable, request.attempts < attempts, pause <= cap, !request.isCanceled else {
      outcomes.append(inWords(path, outcome))
      return nil
    }
    requests[index].hasWaitedAsRequested = request.hasWaitedAsRequested || retryAfter != nil
    return pause...(retryAfter == nil ? pause : cap)
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
  func mayEndEarly(_ path: String) -> Bool {
    requests.contains { $0.path == path && $0.isCanceled && $0.isOpen }
  }

  /// A request that was canceled during an attempt ends with the result of that attempt, or with a `CancellationError`.
  func inWords(_ path: String, _ outcome: String) -> String {
    let isCanceled = requests.contains { $0.path == path && $0.isCanceled }
    return isCanceled ? "\(path) ends" : "\(path) receives \(outcome)"
  }
}
