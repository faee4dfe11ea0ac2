import Given

/// A screen that shows a line of text about the user.
///
/// The loader may deliver on any queue. The label must be set on the main queue only.
final class UserViewController: ViewController {
  let label = Label()

  private let loader: any UserLoader

  /// - Parameter loader: The loader of the text.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override func viewDidLoad() {
    label.text = "loading"

    loader.fetchUserData { [weak self] data in
      if MainQueue.isCurrent {
        self?.label.text = data
      } else {
        Task { @MainActor in
          self?.label.text = data
        }
      }
    }
  }
}
