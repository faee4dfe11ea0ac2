import Given

/// A screen that shows the current user's profile.
final class ProfileViewController: LoadingViewController {
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
    showLoading()
  }

  override var loadingLabels: [Label] { [userNameLabel, addressLabel] }

  override func viewDidLoad() {
    super.viewDidLoad()
    service.getProfile(completion: whenDelivered { (screen: ProfileViewController, result) in screen.show(result) })
  }

  private func show(_ result: Result<Profile, any Error>) {
    do {
      let profile = try result.get()
      (userNameLabel.text, addressLabel.text) = (profile.userName, profile.address)
    } catch {
      errorView.show(message: error.localizedDescription)
    }
  }
}
