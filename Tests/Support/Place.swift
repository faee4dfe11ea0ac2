import Given

/// Where a service calls a completion.
public enum Place: CaseIterable, Sendable {
  case mainQueue, otherQueue, otherQueueWhileMainIsBusy, blockThatMainWaitsFor

  /// The queue on which ``run(within:noting:ifSafe:_:)`` has to be called.
  public var queue: DispatchQueue { self == .otherQueue ? .newBackgroundQueue : .main }

  public var inWords: String {
    switch self {
    case .mainQueue: "on the main queue"
    case .otherQueue: "on another queue"
    case .otherQueueWhileMainIsBusy: "on another queue, while the main queue is busy"
    case .blockThatMainWaitsFor: "inside a `sync` block on another queue, while the main queue waits"
    }
  }

  /// Runs work at this place. If it is called on the main queue, another queue runs the work while the main queue waits.
  ///
  /// - Parameters:
  ///   - seconds: The time that the main queue waits for another queue, in seconds.
  ///   - notes: Receives a sentence if the work has not returned by then: it waits for the main queue.
  ///   - isSafe: Whether the code under test can be called on the main queue, where `main.sync` would end the process. If not, the
  ///     work does not run there.
  ///   - work: The work.
  /// - Returns: Whether the work has returned.
  @discardableResult
  public func run(
    within seconds: TimeInterval, noting notes: Inbox<String>, ifSafe isSafe: @autoclosure () -> Bool = true,
    _ work: @escaping () -> Void
  ) -> Bool {
    switch self {
    case .otherQueue where !MainQueue.isCurrent:
      work()
      return true
    case .otherQueue, .otherQueueWhileMainIsBusy:
      let work = Handover(work)
      let returns = MainActor.assumeIsolated { returnsWithoutMainQueue(within: seconds, work.value) }
      if !returns { notes.receive("a deadlock: a delivery and the main queue wait for each other (is `sync` used?)") }
      return returns
    case .mainQueue, .blockThatMainWaitsFor:
      guard isSafe() else { return false }
      if self == .mainQueue { work() } else { DispatchQueue(label: "the service's queue").sync(execute: work) }
      return true
    }
  }
}
