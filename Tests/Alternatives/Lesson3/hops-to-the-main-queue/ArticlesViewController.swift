// The view controller shows every result with a task on the main actor, and its request has a header of its own.

import Given

/// A screen that shows the titles of the articles.
final class ArticlesViewController: ViewController {
  let listView = ListView()
  let errorView = ErrorView()

  private let client: any HTTPClient
  private let request: URLRequest

  /// Creates a screen that loads its articles with a client.
  ///
  /// - Parameters:
  ///   - client: The client that loads the articles.
  ///   - url: The URL of the articles.
  init(client: any HTTPClient, url: URL) {
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    self.client = client
    self.request = request
    super.init()
  }

  override func viewDidLoad() {
    client.load(request) { [weak self] result in
      Task { @MainActor in self?.show(result) }
    }
  }

  private func show(_ result: Result<(Data, HTTPURLResponse), any Error>) {
    do {
      let (data, response) = try result.get()
      listView.rows = try Articles.titles(from: data, response)
    } catch {
      errorView.show(message: error.localizedDescription)
    }
  }
}
