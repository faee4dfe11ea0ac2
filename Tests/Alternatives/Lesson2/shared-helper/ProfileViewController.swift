// Both view controllers share a function that hops to the main queue through the main operation queue.

import Given

/// Runs work on the main queue. If this is the main queue already, the work runs synchronously.
func onMainQueue(_ work: @escaping () -> Void) {
  guard !MainQueue.isCurrent else { return work() }
  OperationQueue.main.addOperation { work() }
}

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
      onMainQueue { self?.show(result) }
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
