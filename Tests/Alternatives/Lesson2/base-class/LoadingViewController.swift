// Both screens inherit the check and the hop, which a dispatch group makes, and the labels say "loading" more than once.

import Given

/// A screen that shows "loading" until its data has been delivered.
class LoadingViewController: ViewController {
  /// The labels that show "loading".
  var loadingLabels: [Label] { [] }

  override func viewDidLoad() {
    showLoading()
  }

  func showLoading() {
    for label in loadingLabels { label.text = "loading" }
  }

  /// Returns a completion that shows a value on the main queue, without a hop if it is the current one.
  func whenDelivered<Screen: LoadingViewController, Value>(_ show: @escaping (Screen, Value) -> Void) -> (Value) -> Void {
    { [weak self] value in
      let work = { [weak self] in
        if let screen = self as? Screen { show(screen, value) }
      }
      if MainQueue.isCurrent { work() } else { DispatchGroup().notify(queue: .main, execute: work) }
    }
  }
}
