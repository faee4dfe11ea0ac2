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
    // Step 2: ask the client for the articles, and show what it delivers.
    errorView.show(message: "\(Unfinished("Lesson 3, step 2: show the articles"))")
  }
}
