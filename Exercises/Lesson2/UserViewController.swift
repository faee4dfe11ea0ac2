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
    // Step 3: the same story on the second screen, with everything that you have learned on the first.
    label.text = "\(Unfinished("Lesson 2, step 3: show the user's data"))"
  }
}
