// The profile screen stores its state and renders each change; it hops with an operation, and the user screen with a task.

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

  private var state = Result<Profile, any Error>.success(Profile(userName: "loading", address: "loading")) {
    didSet { render() }
  }

  override func viewDidLoad() {
    render()

    service.getProfile { [weak self] result in
      guard let self else { return }
      guard MainQueue.isCurrent else { return OperationQueue.main.addOperation { [weak self] in self?.state = result } }
      state = result
    }
  }

  private func render() {
    switch state {
    case .success(let profile):
      userNameLabel.text = profile.userName
      addressLabel.text = profile.address
    case .failure(let error):
      errorView.show(message: error.localizedDescription)
    }
  }
}
