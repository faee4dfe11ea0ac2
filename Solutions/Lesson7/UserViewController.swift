import Given

/// A screen that shows a line of text about the user.
///
/// It contains no code about queues.
final class UserViewController: ViewController {
  let label = Label()

  private let loader: any UserLoader

  /// - Parameter loader: The loader of the text. It must deliver on the main queue.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override func viewDidLoad() {
    label.text = "loading"

    loader.fetchUserData { [weak self] data in
      self?.label.text = data
    }
  }
}
