/// What the feed's screen asks for.
public protocol FeedViewControllerDelegate {
  /// Called when the screen wants the feed: when it appears for the first time, and when the user pulls it down.
  func didRequestFeed()
}

/// The feed's screen. It keeps its delegate.
public final class FeedViewController: ViewController {
  public let refreshControl = RefreshControl()
  public let errorView = ErrorView()
  public let listView = ListView()

  public var delegate: (any FeedViewControllerDelegate)?

  private var rows: [FeedImageCellController] = []

  public override func viewDidLoad() {
    delegate?.didRequestFeed()
  }

  /// What UIKit does when the user pulls the list down: nothing while the last pull is still being served.
  public func pullToRefresh() {
    guard !refreshControl.isRefreshing else { return }
    delegate?.didRequestFeed()
  }

  /// Shows rows in place of those that are there.
  public func display(_ rows: [FeedImageCellController]) {
    self.rows = rows
    listView.rows = rows.map(\.title)
  }

  /// What UIKit does when a row comes on screen.
  ///
  /// - Returns: What is to be seen there; `nil` if there is no such row.
  @discardableResult
  public func rowWillAppear(_ index: Int) -> ImageView? {
    guard rows.indices.contains(index) else { return nil }
    rows[index].willAppear()
    return rows[index].imageView
  }

  /// What UIKit does when a row has gone off screen.
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

/// Looks after one row: it loads the picture when the row appears, and cancels the load when the row goes.
public final class FeedImageCellController {
  /// The words beside the picture.
  public let title: String
  /// The picture.
  public let imageView = ImageView()

  private let url: URL
  private let loader: any FeedImageDataLoader
  private var task: (any FeedImageDataLoaderTask)?

  /// - Parameters:
  ///   - image: What the row shows.
  ///   - loader: Where its picture comes from.
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
