import Given
import TestSupport

@testable import Exercise2

extension ProfileViewController {
  /// Whether a result is on screen.
  func hasShown(_ result: Result<Profile, any Error>) -> Bool {
    switch result {
    case .success(let profile): userNameLabel.text == profile.userName && addressLabel.text == profile.address
    case .failure: !errorView.messages.isEmpty
    }
  }
}

extension Label {
  /// The texts that were written after "loading".
  var textsAfterLoading: [String] {
    Array(texts.drop { $0 == "loading" })
  }
}

/// A service that delivers before the call to it returns, but from a block of its own queue, as a cache behind a queue does.
struct QueueService: ProfileService, UserLoader {
  private let queue = DispatchQueue(label: "cache")

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    queue.sync { completion(.success(.ada)) }
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    queue.sync { completion("cached data") }
  }
}
