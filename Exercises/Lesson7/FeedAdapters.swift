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
    // Step 4: load the feed, and tell the presenter when that begins and how it ends.
  }
}

/// Stands between the presenter, which has images, and the screen, which wants rows.
final class FeedViewAdapter: FeedView {
  private let imageLoader: any FeedImageDataLoader

  init(controller: FeedViewController, imageLoader: any FeedImageDataLoader) {
    // Step 4: remember the controller. Who keeps whom in this story?
    self.imageLoader = imageLoader
  }

  func display(_ feed: [FeedImage]) {
    // Step 4: make a FeedImageCellController for each image, and let the controller display them.
  }
}
