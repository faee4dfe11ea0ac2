/// An adapter between the screen, which requests the feed, and the presenter, which receives the progress of the load.
///
/// It retains both the loader and the presenter.
public final class FeedLoaderPresentationAdapter: FeedViewControllerDelegate {
  private let feedLoader: any FeedLoader
  private let presenter: FeedPresenter

  /// - Parameters:
  ///   - feedLoader: The feed loader. It must deliver on the main queue.
  ///   - presenter: The presenter, which learns when a load starts and how it ends.
  public init(feedLoader: any FeedLoader, presenter: FeedPresenter) {
    self.feedLoader = feedLoader
    self.presenter = presenter
  }

  public func didRequestFeed() {
    presenter.didStartLoading()
    feedLoader.load { [presenter] result in
      presenter.didFinishLoading(with: result)
    }
  }
}

/// An adapter between the presenter, which delivers images, and the screen, which shows rows.
///
/// It retains the loader, but not the screen.
public final class FeedViewAdapter: FeedView {
  private weak var controller: FeedViewController?
  private let imageLoader: any FeedImageDataLoader

  /// - Parameters:
  ///   - controller: The screen, which receives a row for each image.
  ///   - imageLoader: The image loader for the rows. It must deliver on the main queue.
  public init(controller: FeedViewController, imageLoader: any FeedImageDataLoader) {
    self.controller = controller
    self.imageLoader = imageLoader
  }

  public func display(_ feed: [FeedImage]) {
    controller?.display(feed.map { FeedImageCellController(image: $0, loader: imageLoader) })
  }
}
