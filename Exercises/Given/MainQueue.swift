/// Answers whether the code that asks runs on the main queue.
public enum MainQueue {
  /// Whether the current work was submitted to the main queue, or to a queue that targets it.
  ///
  /// This asks the queue, with a key that is set on the main queue, and not the thread: a thread can work for several queues.
  public static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark.key) != nil
  }

  private static let mark = Mark()

  /// Marks the main queue, once. Safe to share: the key never changes, and Dispatch locks what it keeps under it.
  private struct Mark: @unchecked Sendable {
    let key = DispatchSpecificKey<Void>()

    init() {
      DispatchQueue.main.setSpecific(key: key, value: ())
    }
  }
}
