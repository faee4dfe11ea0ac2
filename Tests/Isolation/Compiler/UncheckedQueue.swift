// The page of Lesson 7 links to this code. It compiles without a warning in Swift 5 and Swift 6 mode, with both mistakes in it.
// With `-D WITH_A_SERVICE`, it compiles in Swift 5 mode only.
import Foundation

struct Profile: Sendable {}

protocol ProfileService {
  func loadProfile(completion: @escaping (Result<Profile, any Error>) -> Void)
}

#if WITH_A_SERVICE
  struct RemoteProfileService: ProfileService {
    let queue = DispatchQueue(label: "network")

    func loadProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
      queue.async { completion(.success(Profile())) }
    }
  }
#endif

@MainActor
final class Label {
  var text = ""
}

@MainActor
final class ProfileScreen {
  private let label = Label()
  private let service: any ProfileService

  init(service: any ProfileService) {
    self.service = service
  }

  func viewDidLoadWithoutAHop() {
    service.loadProfile { [weak self] result in
      self?.label.text = (try? result.get()) == nil ? "failed" : "loaded"
    }
  }

  func viewDidLoadWithAHopAfterSuccessOnly() {
    service.loadProfile { [weak self] result in
      switch result {
      case .success: DispatchQueue.main.async { self?.label.text = "loaded" }
      case .failure: self?.label.text = "failed"
      }
    }
  }
}
