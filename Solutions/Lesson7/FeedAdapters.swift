import Given

/// An adapter between the screen, which requests the feed, and the presenter, which receives the progress of the load.
final class FeedLoaderPresentationAdapter: FeedViewControllerDelegate {
  private let feedLoader: any FeedLoader
  private let presenter: FeedPresenter

  init(feedLoader: any FeedLoader, presenter: FeedPresenter) {
    self.feedLoader = feedLoader
    self.presenter = presenter
  }

  func didRequestFeed() {
    presenter.didStartLoading()
    feedLoader.load { [presenter] result in
      presenter.didFinishLoading(with: result)
    }
  }
}

/// An adapter between the presenter, which delivers images, and the screen, which shows rows.
final class FeedViewAdapter: FeedView {
  private weak var controller: FeedViewController?
  private let imageLoader: any FeedImageDataLoader

  init(controller: FeedViewController, imageLoader: any FeedImageDataLoader) {
    self.controller = controller
    self.imageLoader = imageLoader
  }

  func display(_ feed: [FeedImage]) {
    controller?.display(feed.map { FeedImageCellController(image: $0, loader: imageLoader) })
  }
}
