// Canceling removes the completion from a box, and closures with a weak capture replace the proxies.

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
    let presenter = FeedPresenter(
      feedView: FeedViewAdapter(
        controller: controller,
        imageLoader: MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: imageLoader)),
      loadingView: LoadingView { [weak controller] in controller?.display(isLoading: $0) },
      errorView: MessageView { [weak controller] in controller?.display(message: $0) })

    controller.delegate = FeedLoaderPresentationAdapter(
      feedLoader: MainQueueDispatchDecorator<any FeedLoader>(decoratee: feedLoader), presenter: presenter)
    return controller
  }
}

/// A view that passes the loading state to a closure.
struct LoadingView: FeedLoadingView {
  let body: (Bool) -> Void

  func display(isLoading: Bool) {
    body(isLoading)
  }
}

/// A view that passes the error message to a closure.
struct MessageView: FeedErrorView {
  let body: (String?) -> Void

  func display(message: String?) {
    body(message)
  }
}
