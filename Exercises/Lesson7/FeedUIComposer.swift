import Given

/// The feed screen's composition root: the one place that knows all its parts. It also knows that its loaders may use any
/// queue.
enum FeedUIComposer {
  /// Makes the screen.
  ///
  /// - Parameters:
  ///   - feedLoader: The feed loader. It may deliver on any queue.
  ///   - imageLoader: The image loader. It may deliver on any queue.
  /// - Returns: The screen. It retains all its parts, and nothing else retains them.
  static func feedComposedWith(
    feedLoader: any FeedLoader, imageLoader: any FeedImageDataLoader
  ) -> FeedViewController {
    let controller = FeedViewController()
    // Step 3: make the controller's delegate. Where do the decorators belong?
    return controller
  }
}
