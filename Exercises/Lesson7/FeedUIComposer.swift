import Given

/// Puts the feed's screen together: the one place that knows all its parts, and that its loaders answer on any queue.
enum FeedUIComposer {
  /// Makes the screen.
  ///
  /// - Parameters:
  ///   - feedLoader: Where the feed comes from. It may answer on any queue.
  ///   - imageLoader: Where the pictures come from. It may answer on any queue.
  /// - Returns: The screen. Whoever keeps it keeps all its parts, and nobody else does.
  static func feedComposedWith(
    feedLoader: any FeedLoader, imageLoader: any FeedImageDataLoader
  ) -> FeedViewController {
    // Step 4: make the objects, and give them to each other.
    FeedViewController()
  }
}
