import Given
import Testing

/// The core of every spy with completions. It records calls, and stores their completions until the test calls them.
///
/// A completion is released when it is called. A spy that retained it would hide whether anything else retains what the
/// completion captures.
public final class Calls<Argument, Output>: Sendable {
  /// The completion of a call.
  public typealias Completion = (Output) -> Void
  /// What a call gets before it returns, as from a cache in memory; `nil` if the test completes it.
  public typealias Response = (Argument) -> Output?

  private let name: String
  private let response: Handover<Response?>
  private let calls = Inbox<Handover<(argument: Argument, completion: Locked<Completion?>)>>()

  /// Creates a core without calls.
  ///
  /// - Parameters:
  ///   - name: The name of the spy's role in messages, for example `"the service"`.
  ///   - response: What each call gets before it returns. It may be called on any queue.
  public init(to name: String, responding response: Response? = nil) {
    self.name = name
    self.response = Handover(response)
  }

  /// The argument of each call, oldest first.
  public var arguments: [Argument] {
    calls.values.map { $0.value.argument }
  }

  /// The number of calls.
  public var count: Int {
    calls.values.count
  }

  /// Records a call.
  public func receive(_ argument: Argument, _ completion: @escaping Completion) {
    // Whoever waits for a call may change what the next one gets, so the response comes first. A solution that calls again after
    // each result has to come to an end.
    let output = count < 1000 ? response.value?(argument) : nil
    calls.receive(Handover((argument, Locked(output == nil ? completion : nil))))
    if let output { completion(output) }
  }

  /// Waits for a number of calls. See ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await calls.receives(count)
  }

  /// Completes a call synchronously, on the test's queue. Reports an issue if there is no such call.
  ///
  /// - Parameters:
  ///   - index: The index of the call; 0 is the first.
  ///   - output: The value to deliver.
  ///   - sourceLocation: The source location of issues.
  public func complete(_ index: Int = 0, with output: Output, sourceLocation: SourceLocation = #_sourceLocation) {
    completion(index, sourceLocation)?(output)
  }

  /// The indexes of the calls that are in progress.
  public var unfinished: [Int] {
    let calls = calls.values
    return calls.indices.filter { calls[$0].value.completion.withLock { $0 != nil } }
  }

  /// Completes a call on another queue, and waits until the completion has returned. Reports an issue if there is no such call.
  ///
  /// - Parameters:
  ///   - index: The index of the call; 0 is the first.
  ///   - output: The value to deliver.
  ///   - queue: The queue to call the completion on.
  ///   - sourceLocation: The source location of issues.
  public func complete(
    _ index: Int = 0, with output: Output, on queue: DispatchQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let completion = completion(index, sourceLocation) else { return }
    let hasReturned = await returns(on: queue) { completion(output) }
    #expect(
      hasReturned, "A completion that was called on a background queue never returned. Does the completion wait for something?",
      sourceLocation: sourceLocation)
  }

  private func completion(_ index: Int, _ sourceLocation: SourceLocation) -> Completion? {
    let calls = calls.values
    guard calls.indices.contains(index), let completion = calls[index].value.completion.withLock({ $0.take() }) else {
      recordMissingCall(index, of: count, to: name, sourceLocation: sourceLocation)
      return nil
    }
    return completion
  }
}

/// Reports that a test needs to complete a call that was never made, or that has ended.
func recordMissingCall(_ index: Int, of count: Int, to name: String, sourceLocation: SourceLocation) {
  let times = { (count: Int) in count == 1 ? "once" : "\(count) times" }
  let isOver = "\(count == 1 ? "The" : "A") call to \(name) ended too early: it should still be in progress."
  let isMissing =
    "By now, \(name) should have been called \(times(index + 1)), but it was \(count == 0 ? "not called" : "called " + times(count))."
  Issue.record(Comment(rawValue: index < count ? isOver : isMissing), sourceLocation: sourceLocation)
}
