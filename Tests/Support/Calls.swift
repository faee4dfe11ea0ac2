import Given
import Testing

/// What every spy with completions does: it writes down the calls, keeps their completions, and fires them when told to.
public final class Calls<Argument, Answer>: Sendable {
  public typealias Completion = (Answer) -> Void

  private let name: String
  private let calls = Locked<[(argument: Argument, completion: Completion)]>([])
  private let arrivals = Inbox<Void>()

  /// - Parameter name: Who is called, as a sentence needs it: `"the service"`.
  public init(to name: String) {
    self.name = name
  }

  /// What came with each call, oldest first.
  public var arguments: [Argument] {
    calls.withLock { $0.map(\.argument) }
  }

  /// How often it was called.
  public var count: Int {
    calls.withLock { $0.count }
  }

  /// Takes a call.
  public func receive(_ argument: Argument, _ completion: @escaping Completion) {
    calls.withLock { $0.append((argument, completion)) }
    arrivals.receive(())
  }

  /// Waits for a number of calls: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await arrivals.receives(count)
  }

  /// Answers a call on the queue that the test runs on, at once.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - answer: What to answer.
  ///   - sourceLocation: Where to report that there was no such call.
  public func complete(_ index: Int = 0, with answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
    completion(index, sourceLocation)?(answer)
  }

  /// Answers a call on another queue, and waits until its completion has returned.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - answer: What to answer.
  ///   - queue: Where to call the completion.
  ///   - sourceLocation: Where to report that there was no such call.
  public func complete(
    _ index: Int = 0, with answer: Answer, on queue: DispatchQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let completion = completion(index, sourceLocation) else { return }
    await finished(on: queue, sourceLocation: sourceLocation) { completion(answer) }
  }

  private func completion(_ index: Int, _ sourceLocation: SourceLocation) -> Completion? {
    let completion = calls.withLock { $0.indices.contains(index) ? $0[index].completion : nil }
    if completion == nil {
      Issue.record(
        "There is nothing to answer: calls to \(name) so far: \(count). This test was about to answer number \(index + 1).",
        sourceLocation: sourceLocation)
    }
    return completion
  }
}
