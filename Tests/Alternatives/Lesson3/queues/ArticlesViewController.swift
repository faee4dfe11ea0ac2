import Given

/// A screen that shows the titles of the articles.
///
/// The view controller calls an `HTTPClient` and does not depend on its concrete type.
final class ArticlesViewController: ViewController {
  let listView = ListView()
  let errorView = ErrorView()

  private let client: any HTTPClient
  private let url: URL

  /// Creates a screen that loads its articles with a client.
  ///
  /// - Parameters:
  ///   - client: The client that loads the articles.
  ///   - url: The URL of the articles.
  init(client: any HTTPClient, url: URL) {
    self.client = client
    self.url = url
    super.init()
  }

  override func viewDidLoad() {
    client.load(URLRequest(url: url)) { [weak self] result in
      OperationQueue.main.addOperation { self?.show(result) }
    }
  }

  private func show(_ result: Result<(Data, HTTPURLResponse), any Error>) {
    errorView.hide()
    switch result.flatMap({ data, response in Result { try Articles.titles(from: data, response) } }) {
    case .success(let titles): listView.rows = titles
    case .failure(let error): errorView.show(message: error.localizedDescription)
    }
  }
}
