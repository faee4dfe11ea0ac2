import Given

/// Shows the line about the user.
///
/// It knows nothing of queues.
final class UserViewController: ViewController {
  let label = Label()

  private let loader: any UserLoader

  /// - Parameter loader: Where the line about the user comes from. It answers on the main queue.
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
