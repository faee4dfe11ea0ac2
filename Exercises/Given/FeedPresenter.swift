/// Shows the feed.
public protocol FeedView {
  /// Replaces the images on screen.
  func display(_ feed: [FeedImage])
}

/// Shows whether a load is in progress.
public protocol FeedLoadingView {
  /// Shows or hides the indicator.
  func display(isLoading: Bool)
}

/// Shows error messages.
public protocol FeedErrorView {
  /// Shows or hides a message.
  ///
  /// - Parameter message: The message; `nil` to hide the previous one.
  func display(message: String?)
}

/// Decides what the feed screen shows, without knowledge of the screen or the loader.
///
/// It retains its views. Use it on the main queue only; it calls its views there.
public final class FeedPresenter {
  private let feedView: any FeedView
  private let loadingView: any FeedLoadingView
  private let errorView: any FeedErrorView

  /// Creates a presenter for three views, which it retains.
  public init(feedView: any FeedView, loadingView: any FeedLoadingView, errorView: any FeedErrorView) {
    self.feedView = feedView
    self.loadingView = loadingView
    self.errorView = errorView
  }

  /// Call this when a load begins.
  public func didStartLoading() {
    errorView.display(message: nil)
    loadingView.display(isLoading: true)
  }

  /// Call this when a load has ended.
  public func didFinishLoading(with result: Result<[FeedImage], any Error>) {
    switch result {
    case .success(let feed): feedView.display(feed)
    case .failure(let error): errorView.display(message: error.localizedDescription)
    }
    loadingView.display(isLoading: false)
  }
}
