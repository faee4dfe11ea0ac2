import Given

/// A screen that shows the current user's profile.
///
/// The service may deliver on any queue. The views must be changed on the main queue only.
final class ProfileViewController: ViewController {
  let userNameLabel = Label()
  let addressLabel = Label()
  let errorView = ErrorView()

  private let service: any ProfileService

  /// - Parameter service: The service that loads the profile.
  init(service: any ProfileService) {
    self.service = service
    super.init()
  }

  override func viewDidLoad() {
    userNameLabel.text = "loading"
    addressLabel.text = "loading"

    service.getProfile { [weak self] result in
      // Step 1: remove the check and the hop here once a decorator dispatches for the service.
      if MainQueue.isCurrent {
        self?.show(result)
      } else {
        DispatchQueue.main.async {
          self?.show(result)
        }
      }
    }
  }

  private func show(_ result: Result<Profile, any Error>) {
    switch result {
    case .success(let profile):
      userNameLabel.text = profile.userName
      addressLabel.text = profile.address
    case .failure(let error):
      errorView.show(message: error.localizedDescription)
    }
  }
}
