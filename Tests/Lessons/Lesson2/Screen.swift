import Given
import TestSupport

import class TestSupport.Calls

@testable import Exercise2

/// One of the learner's screens, and its views, which outlive it.
///
/// What has been observed only grows: a screen that the user has left stays as it was.
final class Screen {
  enum Kind: Sendable {
    case profile, user

    /// What provides the data of such a screen.
    var source: String { self == .profile ? "the service" : "the loader" }
  }

  let kind: Kind
  private(set) var controller: ViewController?
  private weak var released: ViewController?
  private let name: String
  private let views: [(name: String, view: View)]
  /// What the screen showed when the user left it.
  private var shownAtLast: [String]?
  /// What the screen showed when a result on the main queue had been delivered.
  private var shownInTime: [String]?

  init(_ kind: Kind, number: Int, service: Service) {
    self.kind = kind
    name = "screen \(number)"
    switch kind {
    case .profile:
      let profile = ProfileViewController(service: service)
      controller = profile
      views = [
        ("userNameLabel", profile.userNameLabel), ("addressLabel", profile.addressLabel), ("errorView", profile.errorView),
      ]
    case .user:
      let user = UserViewController(loader: service)
      (controller, views) = (user, [("label", user.label)])
    }
    released = controller
  }

  var isOpen: Bool { controller != nil }

  func leave() {
    if isOpen { shownAtLast = shown }
    controller = nil
  }

  /// From now on, what the screen shows is late.
  func resultIsDue() {
    shownInTime = shown
  }

  var observed: [String] {
    let shown = shownAtLast ?? shown
    // Only a result can need a hop.
    return shown.map { (shownInTime ?? shown).contains($0) || $0.contains(#" "loading""#) ? $0 : "\($0) only after a hop" }
      + views.flatMap { view in view.view.writesOffMainQueue.map { _ in "\(name)'s \(view.name) is changed off the main queue" } }
      + (controller == nil && released == nil ? ["\(name) is released"] : [])
  }

  private var shown: [String] {
    views.flatMap { view in view.view.shown.map { "\(name)'s \(view.name) \($0)" } }
  }
}

extension View {
  /// What the view has shown.
  fileprivate var shown: [String] {
    switch self {
    case let label as Label:
      // A label may show "loading" repeatedly before anything else.
      let rest = label.texts.drop { $0 == "loading" }
      return (rest.count < label.texts.count ? [#"shows "loading""#] : [])
        + rest.map { $0 == "loading" ? #"shows "loading" after its result"# : "shows \"\($0)\"" }
    case let errorView as ErrorView:
      let isHidden = errorView.message != errorView.messages.last
      return errorView.messages.map { "shows \"\($0)\"" } + (isHidden ? ["is hidden"] : [])
    default: return []
    }
  }
}

/// A service for both kinds of screens. The test decides when and where it delivers.
final class Service: ProfileService, UserLoader {
  let calls = Calls<String, Result<Profile, any Error>>(to: "the service")
  /// What happens before the next call returns.
  var whenCalled: (() -> Void)?

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    calls.receive("the service", completion)
    whenCalled.take()?()
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive("the loader") { result in (try? result.get()).map { completion($0.userName) } }
    whenCalled.take()?()
  }
}
