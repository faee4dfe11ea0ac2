import Given

/// A screen that shows a line of text about the user.
final class UserViewController: LoadingViewController {
  let label = Label()

  private let loader: any UserLoader

  /// Creates a screen that loads its text from a loader.
  ///
  /// - Parameter loader: The loader of the text.
  init(loader: any UserLoader) {
    self.loader = loader
    super.init()
  }

  override var loadingLabels: [Label] { [label] }

  override func viewDidLoad() {
    super.viewDidLoad()
    loader.fetchUserData(completion: whenDelivered { (screen: UserViewController, data) in screen.label.text = data })
  }
}
