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
    // Step 1: load the articles with the client, and show the titles or the error.
    errorView.show(message: "\(Unfinished("Lesson 3, step 1: show the articles"))")
  }
}
