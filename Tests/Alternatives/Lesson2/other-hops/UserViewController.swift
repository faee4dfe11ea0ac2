import Given

/// A screen that shows a line of text about the user.
final class UserViewController: ViewController {
  let label = ProfileViewController.makeLabel()

  private let loader: any UserLoader

  /// Creates a screen that loads its text from a loader.
  ///
  /// - Parameter loader: The loader of the text.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override func viewDidLoad() {
    loader.fetchUserData { [weak self] data in
      onScreen { onScreen { self?.label.text = data } }
    }
  }
}
