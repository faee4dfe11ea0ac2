import Given

/// A screen that shows the current user's profile.
///
/// The service may deliver on any queue. The views must be changed on the main queue only.
final class ProfileViewController: ViewController {
  let userNameLabel = Label()
  let addressLabel = Label()
  let errorView = ErrorView()

  private let service: any ProfileService

  /// Creates a screen that loads its profile from a service.
  ///
  /// - Parameter service: The service that loads the profile.
  init(service: any ProfileService) {
    self.service = service
    super.init()
  }

  override func viewDidLoad() {
    // Step 1: show "loading", call the service, and show its result. Change the views on the main queue only.
    // Step 2: if the result arrives on the main queue, show it immediately, without a hop.
    errorView.show(message: "\(Unfinished("Lesson 2, step 1: show the profile"))")
  }
}
