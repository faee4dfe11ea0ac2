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
  /// The number of the newest load. Only the newest load may change the screen.
  @ObservationIgnored private var newest = 0

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

  /// Loads the profile. A load that starts while another is in flight replaces it.
  func load() async {
    newest += 1
    let number = newest
    isLoading = true

    let next: State
    do {
      next = .loaded(try await service.profile())
    } catch {
      next = .failed(error.localizedDescription)
    }

    guard number == newest else { return }
    isLoading = false
    if !Task.isCancelled { state = next }
  }
}
