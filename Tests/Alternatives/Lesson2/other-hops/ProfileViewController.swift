// The labels show "loading" from the start, and each of them hops on its own, through a queue that targets the main queue.

import Given

/// A screen that shows the current user's profile.
final class ProfileViewController: ViewController {
  let userNameLabel = ProfileViewController.makeLabel()
  let addressLabel = ProfileViewController.makeLabel()
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
    errorView.hide()
    service.getProfile { [weak self] result in
      // The hop may retain the controller: it ends soon.
      guard let self else { return }
      switch result {
      case .success(let profile):
        onScreen { self.userNameLabel.text = profile.userName }
        onScreen { onScreen { self.addressLabel.text = profile.address } }
      case .failure(let error):
        onScreen { self.errorView.show(message: error.localizedDescription) }
      }
    }
  }

  static func makeLabel() -> Label {
    let label = Label()
    label.text = "loading"
    return label
  }
}

/// Runs work on a queue that targets the main queue, or synchronously if it is called on the main queue.
func onScreen(_ work: @escaping () -> Void) {
  if MainQueue.isCurrent { work() } else { screenQueue.async(execute: work) }
}

private let screenQueue = DispatchQueue(label: "screen", target: .main)
