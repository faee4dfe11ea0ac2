/// Handles the feed screen's requests.
public protocol FeedViewControllerDelegate {
  /// Called when the screen needs the feed: when its view has loaded, and when the user pulls down to refresh.
  func didRequestFeed()
}

/// The feed screen. It retains its delegate.
public final class FeedViewController: ViewController {
  public let refreshControl = RefreshControl()
  public let errorView = ErrorView()
  public let listView = ListView()

  public var delegate: (any FeedViewControllerDelegate)?

  private var rows: [FeedImageCellController] = []

  public override func viewDidLoad() {
    delegate?.didRequestFeed()
  }

  /// Simulates the user's pull to refresh. It has no effect during a refresh.
  public func pullToRefresh() {
    guard !refreshControl.isRefreshing else { return }
    delegate?.didRequestFeed()
  }

  /// Replaces the rows on screen.
  public func display(_ rows: [FeedImageCellController]) {
    self.rows = rows
    listView.rows = rows.map(\.title)
  }

  /// Simulates a row appearing on screen.
  ///
  /// - Returns: The row's image view; `nil` if there is no such row.
  @discardableResult
  public func rowWillAppear(_ index: Int) -> ImageView? {
    guard rows.indices.contains(index) else { return nil }
    rows[index].willAppear()
    return rows[index].imageView
  }

  /// Simulates a row leaving the screen.
  public func rowDidDisappear(_ index: Int) {
    guard rows.indices.contains(index) else { return }
    rows[index].didDisappear()
  }
}

extension FeedViewController: FeedLoadingView {
  public func display(isLoading: Bool) {
    refreshControl.isRefreshing = isLoading
  }
}

extension FeedViewController: FeedErrorView {
  public func display(message: String?) {
    if let message {
      errorView.show(message: message)
    } else {
      errorView.hide()
    }
  }
}

/// Controls one row: loads the image when the row appears, and cancels the load when the row disappears.
public final class FeedImageCellController {
  /// The text beside the image.
  public let title: String
  /// The view that shows the image.
  public let imageView = ImageView()

  private let url: URL
  private let loader: any FeedImageDataLoader
  private var task: (any FeedImageDataLoaderTask)?

  /// Creates a controller for a row.
  ///
  /// - Parameters:
  ///   - image: The image to show.
  ///   - loader: The loader for the image data.
  public init(image: FeedImage, loader: any FeedImageDataLoader) {
    title = image.title
    url = image.url
    self.loader = loader
  }

  deinit {
    task?.cancel()
  }

  func willAppear() {
    task = loader.loadImageData(from: url) { [weak self] result in
      if case .success(let data) = result { self?.imageView.data = data }
    }
  }

  func didDisappear() {
    task?.cancel()
    task = nil
  }
}
