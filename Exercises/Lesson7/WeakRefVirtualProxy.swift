import Given

/// A proxy that references an object weakly and forwards every call to it while the object is alive.
///
/// Like a decorator, it has the interface of the object behind it. Unlike a decorator, it adds no behavior.
final class WeakRefVirtualProxy<T: AnyObject> {
  init(_ object: T) {
    // Step 3: store the object without retaining it.
  }
}

extension WeakRefVirtualProxy: FeedLoadingView where T: FeedLoadingView {
  func display(isLoading: Bool) {
    // Step 3: forward the call to the object.
  }
}

extension WeakRefVirtualProxy: FeedErrorView where T: FeedErrorView {
  func display(message: String?) {
    // Step 3: forward the call to the object.
  }
}
