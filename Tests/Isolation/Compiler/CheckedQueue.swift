// The page of Lesson 7 links to this code. It compiles in Swift 5 and Swift 6 mode. With `-D FORGETS_THE_HOP`, it compiles in neither.
import Foundation

struct Profile: Sendable {}

protocol ProfileService {
  func loadProfile(completion: @escaping @MainActor (Result<Profile, any Error>) -> Void)
}

struct RemoteProfileService: ProfileService {
  let queue = DispatchQueue(label: "network")

  func loadProfile(completion: @escaping @MainActor (Result<Profile, any Error>) -> Void) {
    queue.async {
      #if FORGETS_THE_HOP
        completion(.success(Profile()))
      #else
        DispatchQueue.main.async { completion(.success(Profile())) }
      #endif
    }
  }
}

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

  func viewDidLoad() {
    service.loadProfile { [weak self] result in
      self?.label.text = (try? result.get()) == nil ? "failed" : "loaded"
    }
  }
}
