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
    // Step 3: load the feed. Call the presenter when the load starts and when it ends.
  }
}

/// An adapter between the presenter, which delivers images, and the screen, which shows rows.
final class FeedViewAdapter: FeedView {
  private let imageLoader: any FeedImageDataLoader

  init(controller: FeedViewController, imageLoader: any FeedImageDataLoader) {
    // Step 3: store the controller. May this adapter retain it?
    self.imageLoader = imageLoader
  }

  func display(_ feed: [FeedImage]) {
    // Step 3: make a `FeedImageCellController` for each image, and pass them to the controller's `display`.
  }
}
