import Given

/// Shows the line about the user.
///
/// The loader may answer on any queue. The label must be written to on the main queue only.
final class UserViewController: ViewController {
  let label = Label()

  private let loader: any UserLoader

  /// - Parameter loader: Where the line about the user comes from.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override func viewDidLoad() {
    label.text = "loading"

    loader.fetchUserData { [weak self] data in
      // Step 2: the same here.
      if MainQueue.isCurrent {
        self?.label.text = data
      } else {
        DispatchQueue.main.async {
          self?.label.text = data
        }
      }
    }
  }
}
