import Given

/// Stands between the screen, which asks for the feed, and the presenter, which wants to hear how the loading goes.
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

/// Stands between the presenter, which has images, and the screen, which wants rows.
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
