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
    userNameLabel.text = "loading"
    addressLabel.text = "loading"

    service.getProfile { [weak self] result in
      // Step 1: once the service is decorated, none of this is the screen's business any more.
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
