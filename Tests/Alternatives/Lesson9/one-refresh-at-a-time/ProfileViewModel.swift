import Given
import Observation

/// What the profile screen shows. The compiler checks that it's used on the main actor only.
@MainActor
@Observable
final class ProfileViewModel {
  /// What the screen shows apart from the activity indicator: nothing, a profile or a message.
  private enum State {
    case empty
    case loaded(Profile)
    case failed(String)
  }

  /// Whether the activity indicator is shown.
  private(set) var isLoading = false
  private var state = State.empty

  @ObservationIgnored private let service: any AsyncProfileService

  init(service: any AsyncProfileService) {
    self.service = service
  }

  var profile: Profile? {
    if case .loaded(let profile) = state { profile } else { nil }
  }

  /// The message about the last failure, or `nil` if there is none.
  var message: String? {
    if case .failed(let message) = state { message } else { nil }
  }

  /// Loads the profile.
  func load() async {
    isLoading = true
    do {
      state = .loaded(try await service.profile())
    } catch {
      state = .failed(error.localizedDescription)
    }
    isLoading = false
  }
}
