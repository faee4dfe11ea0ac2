/// A proxy that references an object weakly and forwards every call to it while the object is alive.
///
/// Like a decorator, it has the interface of the object behind it. Unlike a decorator, it adds no behavior.
public final class WeakRefVirtualProxy<T: AnyObject> {
  private weak var object: T?

  /// - Parameter object: The object to forward calls to. The proxy does not retain it.
  public init(_ object: T) {
    self.object = object
  }
}

extension WeakRefVirtualProxy: FeedLoadingView where T: FeedLoadingView {
  public func display(isLoading: Bool) {
    object?.display(isLoading: isLoading)
  }
}

extension WeakRefVirtualProxy: FeedErrorView where T: FeedErrorView {
  public func display(message: String?) {
    object?.display(message: message)
  }
}
