// The completion captures the views in place of the controller, and a plain task hops to the main actor.

import Given

/// A screen that shows the current user's profile.
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
    userNameLabel.text = "loading"
    addressLabel.text = "loading"

    service.getProfile { [userNameLabel, addressLabel, errorView] result in
      let show = {
        switch result {
        case .success(let profile):
          userNameLabel.text = profile.userName
          addressLabel.text = profile.address
        case .failure(let error):
          errorView.show(message: error.localizedDescription)
        }
      }
      if MainQueue.isCurrent {
        show()
      } else {
        Task { await MainActor.run { show() } }
      }
    }
  }
}
