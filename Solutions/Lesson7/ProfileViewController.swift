import Given

/// A screen that shows the current user's profile.
///
/// It contains no code about queues.
final class ProfileViewController: ViewController {
  let userNameLabel = Label()
  let addressLabel = Label()
  let errorView = ErrorView()

  private let service: any ProfileService

  /// - Parameter service: The service that loads the profile. It must deliver on the main queue.
  init(service: any ProfileService) {
    self.service = service
    super.init()
  }

  override func viewDidLoad() {
    userNameLabel.text = "loading"
    addressLabel.text = "loading"

    service.getProfile { [weak self] result in
      self?.show(result)
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
