import Given

/// A screen that shows a line of text about the user.
final class UserViewController: ViewController {
  let label = Label()

  private let loader: any UserLoader

  /// Creates a screen that loads its text from a loader.
  ///
  /// - Parameter loader: The loader of the text.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override func viewDidLoad() {
    label.text = "loading"

    loader.fetchUserData { [label] data in
      if MainQueue.isCurrent {
        label.text = data
      } else {
        Task { await MainActor.run { label.text = data } }
      }
    }
  }
}
