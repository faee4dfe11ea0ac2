import Foundation
import Testing

/// Waits until all that was submitted to the main queue before this call has run: blocks, operations and main-actor jobs.
///
/// Call it before you claim that something was shown, that it was not, or that an object was released: a block on its way to
/// the main queue keeps what it captured.
public func mainQueueDrained(sourceLocation: SourceLocation = #_sourceLocation) async {
  let drained = Inbox<Void>()
  // The main operation queue runs one operation at a time and hands the next one over only then: the last block has to come after the last operation.
  OperationQueue.main.addOperation {
    DispatchQueue.main.async { drained.receive(()) }
  }
  let isDrained = await drained.receives(1)
  #expect(isDrained, "The main queue is stuck: something blocks it.", sourceLocation: sourceLocation)
}

/// Runs work on a queue, and waits until it has returned.
///
/// - Parameters:
///   - queue: Where to run it.
///   - comment: What to tell the learner when it does not return.
///   - sourceLocation: Where to report.
///   - work: What to run.
public func finished(
  on queue: DispatchQueue,
  _ comment: Comment = "The completion was called on a background queue and never returned: something blocks it.",
  sourceLocation: SourceLocation = #_sourceLocation,
  work: @escaping () -> Void
) async {
  let done = Inbox<Void>()
  let work = Handover(work)
  queue.async {
    work.value()
    done.receive(())
  }
  let isDone = await done.receives(1)
  #expect(isDone, comment, sourceLocation: sourceLocation)
}

/// Runs work on another queue while we stay on the main queue and nothing else runs there.
///
/// It waits for a second at most: meanwhile no other test can use the main queue.
///
/// - Returns: Whether the work came to its end without the main queue.
@MainActor
public func returnsWithoutMainQueue(_ work: @escaping () -> Void) -> Bool {
  let isDone = DispatchSemaphore(value: 0)
  let work = Handover(work)
  DispatchQueue.global().async {
    work.value()
    isDone.signal()
  }
  return isDone.wait(timeout: .now() + 1) == .success
}

/// Where services like to answer.
public enum BackgroundQueue: CaseIterable, Sendable {
  case concurrent
  case serial

  public var queue: DispatchQueue {
    switch self {
    case .concurrent: .global()
    case .serial: DispatchQueue(label: "a service's own queue")
    }
  }
}

/// Carries a value over to another queue; whoever uses it sees to it that one queue at a time touches it.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
