import Given

/// Shows the titles of the articles.
///
/// It asks an `HTTPClient`, and has no idea which one.
final class ArticlesViewController: ViewController {
  let listView = ListView()
  let errorView = ErrorView()

  private let client: any HTTPClient
  private let url: URL

  /// - Parameters:
  ///   - client: Whom to ask.
  ///   - url: Where the articles are.
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
