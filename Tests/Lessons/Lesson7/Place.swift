import Given
import TestSupport

/// Where a loader calls a completion.
enum Place: CaseIterable, Sendable {
  case mainQueue, otherQueue, otherQueueWhileMainIsBusy, blockThatMainWaitsFor

  var inWords: String {
    switch self {
    case .mainQueue: "on the main queue"
    case .otherQueue: "on another queue"
    case .otherQueueWhileMainIsBusy: "on another queue, while the main queue is busy"
    case .blockThatMainWaitsFor: "inside a `sync` block on another queue, while the main queue waits"
    }
  }

  /// Runs work at this place. If it is called on the main queue, another queue runs the work while the main queue waits, for a second
  /// at most.
  func run(_ work: @escaping () -> Void) {
    switch self {
    case .otherQueue where !MainQueue.isCurrent: work()
    case .otherQueue, .otherQueueWhileMainIsBusy:
      nonisolated(unsafe) let work = work
      _ = MainActor.assumeIsolated { returnsWithoutMainQueue(work) }
    case .mainQueue: work()
    case .blockThatMainWaitsFor: DispatchQueue(label: "the loader's queue").sync(execute: work)
    }
  }
}
