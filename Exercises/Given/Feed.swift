/// A picture in the feed, with the words beside it.
public struct FeedImage: Equatable, Sendable {
  public var title: String
  public var url: URL

  public init(title: String, url: URL) {
    self.title = title
    self.url = url
  }
}

/// Where the feed comes from.
public protocol FeedLoader {
  /// Loads the feed.
  ///
  /// - Parameter completion: Called exactly once: at once or later, on the queue that suits the loader.
  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void)
}

/// Where the pictures themselves come from.
public protocol FeedImageDataLoader {
  /// Loads a picture.
  ///
  /// - Parameters:
  ///   - url: Where it is.
  ///   - completion: Called once, unless the load is cancelled first: at once or later, on the queue that suits the loader.
  /// - Returns: The load that is under way. It goes on whether or not anybody keeps this.
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask
}

/// A load that can be cancelled.
public protocol FeedImageDataLoaderTask {
  /// Ends the load. From then on nothing is delivered. Called on the main queue, where rows go off screen.
  func cancel()
}
