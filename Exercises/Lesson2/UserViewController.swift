import Given

/// A screen that shows a line of text about the user.
///
/// The loader may deliver on any queue. The label must be changed on the main queue only.
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
    // Step 2: follow all the rules for the profile screen, except those about errors.
    label.text = "\(Unfinished("Lesson 2, step 2: show the user's data"))"
  }
}
