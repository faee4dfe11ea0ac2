import Given

/// A screen that shows the line about the user.
final class UserViewController: ViewController {
  let label = ProfileViewController.makeLabel()

  private let loader: any UserLoader

  /// Creates a screen that loads its line from a loader.
  ///
  /// - Parameter loader: The loader of the line about the user.
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
