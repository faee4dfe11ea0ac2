/// An image in the feed.
public struct FeedImage: Equatable, Sendable {
  /// The text beside the image.
  public var title: String
  /// The URL of the image data.
  public var url: URL

  public init(title: String, url: URL) {
    self.title = title
    self.url = url
  }
}

/// Loads the feed.
public protocol FeedLoader {
  /// Loads the feed.
  ///
  /// - Parameter completion: A closure that receives the feed or an error. Called exactly once, on any queue, before or after
  ///   this method returns.
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void)
}

/// Loads image data.
public protocol FeedImageDataLoader {
  /// Loads an image.
  ///
  /// - Parameters:
  ///   - url: The URL of the image data.
  ///   - completion: A closure that receives the data or an error. Called once, on any queue, before or after this
  ///     method returns; after a cancellation, it may not be called at all.
  /// - Returns: A task that can cancel the load. The load continues even if nothing retains the task.
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask
}

/// A load that can be canceled.
public protocol FeedImageDataLoaderTask {
  /// Cancels the load. A row calls this on the main queue, when it leaves the screen, and in its `deinit`, which runs wherever
  /// the row is released.
  func cancel()
}
