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
  ///   - client: The client that loads the articles. In an app, it has to deliver on the main queue: Lesson 7 makes it do so.
  ///   - url: The URL of the articles.
  init(client: any HTTPClient, url: URL) {
    self.client = client
    self.url = url
    super.init()
  }

  override func viewDidLoad() {
    client.load(URLRequest(url: url)) { [weak self] result in
      do {
        let (data, response) = try result.get()
        self?.listView.rows = try Articles.titles(from: data, response)
      } catch {
        self?.errorView.show(message: error.localizedDescription)
      }
    }
  }
}
