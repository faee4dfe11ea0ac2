import Given

/// Stands in for an object without keeping it: what it is told it passes on, for as long as the object is alive.
///
/// It has the interface of what it stands for, like a decorator. It adds nothing; it controls the access.
final class WeakRefVirtualProxy<T: AnyObject> {
  init(_ object: T) {
    // Step 4: remember the object.
  }
}

extension WeakRefVirtualProxy: FeedLoadingView where T: FeedLoadingView {
  func display(isLoading: Bool) {
    // Step 4: pass it on.
  }
}

extension WeakRefVirtualProxy: FeedErrorView where T: FeedErrorView {
  func display(message: String?) {
    // Step 4: pass it on.
  }
}
