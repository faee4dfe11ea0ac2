import Given

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
