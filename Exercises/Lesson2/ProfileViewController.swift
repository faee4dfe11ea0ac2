import Given

/// Shows the profile of the user who is signed in.
///
/// The service may answer on any queue. The views must be written to on the main queue only.
final class ProfileViewController: ViewController {
  let userNameLabel = Label()
  let addressLabel = Label()
  let errorView = ErrorView()

  private let service: any ProfileService

  /// - Parameter service: Where the profile comes from.
  init(service: any ProfileService) {
    self.service = service
    super.init()
  }

  override func viewDidLoad() {
    // Step 1: show "loading", ask the service, and show what it delivers.
    // Step 2: write to the views on the main queue, whatever queue the service answers on.
    // Step 3: write at once when the answer comes on the main queue.
    errorView.show(message: "\(Unfinished("Lesson 2, step 1: show the profile"))")
  }
}
