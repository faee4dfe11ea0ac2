/// Shows the feed.
public protocol FeedView {
  func display(_ feed: [FeedImage])
}

/// Shows that something is being loaded.
public protocol FeedLoadingView {
  func display(isLoading: Bool)
}

/// Shows what went wrong.
public protocol FeedErrorView {
  /// - Parameter message: What to tell the user; `nil` to hide it.
  func display(message: String?)
}

/// Decides what the feed's screen shows, and knows neither the screen nor the loader.
///
/// It keeps its views. It is called, and calls them, on the main queue.
public final class FeedPresenter {
  private let feedView: any FeedView
  private let loadingView: any FeedLoadingView
  private let errorView: any FeedErrorView

  public init(feedView: any FeedView, loadingView: any FeedLoadingView, errorView: any FeedErrorView) {
    self.feedView = feedView
    self.loadingView = loadingView
    self.errorView = errorView
  }

  /// To be called when a load begins.
  public func didStartLoading() {
    errorView.display(message: nil)
    loadingView.display(isLoading: true)
  }

  /// To be called when a load has ended.
  public func didFinishLoading(with result: Result<[FeedImage], any Error>) {
    switch result {
    case .success(let feed): feedView.display(feed)
    case .failure(let error): errorView.display(message: error.localizedDescription)
    }
    loadingView.display(isLoading: false)
  }
}
