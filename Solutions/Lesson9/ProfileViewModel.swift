import Given
import Observation

/// What the profile screen shows. The compiler checks that it's used on the main actor only.
@MainActor
@Observable
final class ProfileViewModel {
  private(set) var profile: Profile?
  /// The message about the last failure, or `nil` if there is none.
  private(set) var message: String?
  /// Whether the activity indicator is shown.
  private(set) var isLoading = false

  private let service: any AsyncProfileService

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. Two loads must not overlap: the first to end would hide the indicator of the other.
  func load() async {
    isLoading = true
    defer { isLoading = false }

    do {
      profile = try await service.profile()
      message = nil
    } catch {
      // SwiftUI's `task` cancels a load when the user leaves the screen, and nobody waits for its message. Ask the task: a canceled
      // client may throw an error of its own.
      guard !Task.isCancelled else { return }
      message = error.localizedDescription
    }
  }
}
