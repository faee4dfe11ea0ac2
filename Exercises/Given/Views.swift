/// A stand-in for `UIView` that records each write from another queue than the main queue.
///
/// UIKit's views must be used on the main thread only, and Xcode's Main Thread Checker reports any other use. The stand-ins can be
/// changed on any queue. They are stricter than the checker: they record a write on another queue, even if the thread is the main one.
open class View {
  private let _writesOffMainQueue = Locked<[String]>([])

  public init() {}

  /// Every write from another queue than the main queue, oldest first, for example `Label.text = "Ada"`.
  public var writesOffMainQueue: [String] {
    _writesOffMainQueue.withLock { $0 }
  }

  /// Records a write, unless it happens on the main queue.
  ///
  /// - Parameter write: The write as it would appear in code, for example `Label.text = "Ada"`.
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

  /// Every text that has been written to the label, oldest first; `nil` counts as empty.
  public var texts: [String] {
    _texts.withLock { $0 }
  }
}

/// A banner that shows error messages.
public final class ErrorView: View {
  private let state = Locked<(current: String?, all: [String])>((nil, []))

  /// The message on screen; `nil` while the banner is hidden.
  public var message: String? {
    state.withLock { $0.current }
  }

  /// Every message that has been shown, oldest first.
  public var messages: [String] {
    state.withLock { $0.all }
  }

  /// Shows the banner.
  ///
  /// - Parameter message: The message to show.
  public func show(message: String) {
    record("ErrorView.show(message: \"\(message)\")")
    state.withLock {
      $0.current = message
      $0.all.append(message)
    }
  }

  /// Hides the banner.
  public func hide() {
    record("ErrorView.hide()")
    state.withLock { $0.current = nil }
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

/// A stand-in for `UIRefreshControl`.
public final class RefreshControl: View {
  private let _history = Locked<[Bool]>([])

  /// Whether the indicator is visible and spinning.
  public var isRefreshing: Bool {
    get { _history.withLock { $0.last ?? false } }
    set {
      record("RefreshControl.isRefreshing = \(newValue)")
      _history.withLock { $0.append(newValue) }
    }
  }
}

/// A stand-in for `UIImageView`.
public final class ImageView: View {
  private let _data = Locked<Data?>(nil)

  /// The data of the image on screen; `nil` if there is none.
  public var data: Data? {
    get { _data.withLock { $0 } }
    set {
      record("ImageView.data = \(newValue.map { "\($0.count) bytes" } ?? "nil")")
      _data.withLock { $0 = newValue }
    }
  }
}
