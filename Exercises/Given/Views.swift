/// A stand-in for `UIView` that writes down what UIKit's Main Thread Checker would complain about.
///
/// UIKit wants to be used on the main queue only. Our stand-ins may be written from anywhere, and remember it.
open class View {
  private let _writesOffMainQueue = Locked<[String]>([])

  public init() {}

  /// Every write that did not happen on the main queue, oldest first, as `Label.text = "Ada"`.
  public var writesOffMainQueue: [String] {
    _writesOffMainQueue.withLock { $0 }
  }

  /// Remembers a write unless it happens on the main queue.
  ///
  /// - Parameter write: The write as a reader would put it, as in `Label.text = "Ada"`.
  public func record(_ write: @autoclosure () -> String) {
    if !MainQueue.isCurrent {
      let write = write()
      _writesOffMainQueue.withLock { $0.append(write) }
    }
  }
}

/// A stand-in for `UILabel`.
public final class Label: View {
  private let _texts = Locked<[String]>([])

  /// The text on screen; `nil` until the first one is written.
  public var text: String? {
    get { _texts.withLock { $0.last } }
    set {
      let text = newValue ?? ""
      record("Label.text = \"\(text)\"")
      _texts.withLock { $0.append(text) }
    }
  }

  /// Every text that was ever written to the label, oldest first; `nil` counts as empty.
  public var texts: [String] {
    _texts.withLock { $0 }
  }
}

/// The banner that tells the user what went wrong.
public final class ErrorView: View {
  private let _messages = Locked<[String]>([])

  /// The message on screen; `nil` while the banner is hidden.
  public var message: String? {
    _messages.withLock { $0.last }
  }

  /// Every message that was ever shown, oldest first.
  public var messages: [String] {
    _messages.withLock { $0 }
  }

  /// Shows the banner.
  ///
  /// - Parameter message: What to tell the user.
  public func show(message: String) {
    record("ErrorView.show(message: \"\(message)\")")
    _messages.withLock { $0.append(message) }
  }
}

/// A stand-in for `UITableView` that shows lines of text.
public final class ListView: View {
  private let _rows = Locked<[String]>([])

  /// The lines on screen, from top to bottom.
  public var rows: [String] {
    get { _rows.withLock { $0 } }
    set {
      record("ListView.rows = \(newValue)")
      _rows.withLock { $0 = newValue }
    }
  }
}
