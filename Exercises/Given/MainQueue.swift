/// Tells whether code runs on the main queue.
public enum MainQueue {
  /// Whether the current work was submitted to the main queue, or to a queue that targets it.
  ///
  /// This checks the queue, by means of a key that is set on the main queue. It does not check the thread, since a thread can
  /// work for several queues.
  public static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark.key) != nil
  }

  private static let mark = Mark()

  /// Marks the main queue, once. Safe to share: the key never changes, and Dispatch synchronizes access to its value.
  private struct Mark: @unchecked Sendable {
    let key = DispatchSpecificKey<Void>()

    init() {
      DispatchQueue.main.setSpecific(key: key, value: ())
    }
  }
}
