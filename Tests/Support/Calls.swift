import Given
import Testing

/// The core of every spy with completions: it records the calls, and stores their completions until the test calls them.
public final class Calls<Argument, Output>: Sendable {
  public typealias Completion = (Output) -> Void

  private let name: String
  private let calls = Inbox<Handover<(argument: Argument, completion: Completion)>>()

  /// - Parameter name: What is called, as a sentence needs it: `"the service"`.
  public init(to name: String) {
    self.name = name
  }

  /// The argument of each call, oldest first.
  public var arguments: [Argument] {
    calls.values.map(\.value.argument)
  }

  /// How often it was called.
  public var count: Int {
    calls.values.count
  }

  /// Records a call.
  public func receive(_ argument: Argument, _ completion: @escaping Completion) {
    calls.receive(Handover((argument, completion)))
  }

  /// Waits for a number of calls: see ``Inbox/receives(_:)``.
  @discardableResult
  public func receives(_ count: Int) async -> Bool {
    await calls.receives(count)
  }

  /// Completes a call synchronously, on the queue that the test runs on.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - output: What to deliver.
  ///   - sourceLocation: Where to report that there was no such call.
  public func complete(_ index: Int = 0, with output: Output, sourceLocation: SourceLocation = #_sourceLocation) {
    completion(index, sourceLocation)?(output)
  }

  /// Completes a call on another queue, and waits until its completion has returned.
  ///
  /// - Parameters:
  ///   - index: Which call: 0 is the first.
  ///   - output: What to deliver.
  ///   - queue: Where to call the completion.
  ///   - sourceLocation: Where to report that there was no such call.
  public func complete(
    _ index: Int = 0, with output: Output, on queue: DispatchQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let completion = completion(index, sourceLocation) else { return }
    await finished(on: queue, sourceLocation: sourceLocation) { completion(output) }
  }

  private func completion(_ index: Int, _ sourceLocation: SourceLocation) -> Completion? {
    let calls = calls.values
    guard calls.indices.contains(index) else {
      recordMissingCall(index, of: calls.count, to: name, sourceLocation: sourceLocation)
      return nil
    }
    return calls[index].value.completion
  }
}

/// Reports that a test was about to complete a call that was never made, or that has ended.
func recordMissingCall(_ index: Int, of count: Int, to name: String, sourceLocation: SourceLocation) {
  Issue.record(
    "There is nothing to answer: calls to \(name) so far: \(count). This test was about to answer number \(index + 1).",
    sourceLocation: sourceLocation)
}
