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
  /// Identifies the newest load. Only the newest load may change the screen.
  @ObservationIgnored private var current: UUID?

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. A load that starts while another is in flight replaces it.
  func load() async {
    let id = UUID()
    current = id
    isLoading = true

    do {
      let profile = try await service.profile()
      finish(id) {
        self.profile = profile
        message = nil
      }
    } catch {
      finish(id) {
        message = error.localizedDescription
      }
    }
  }

  /// Ends a load. If a newer load has replaced it, nothing changes. If it was canceled, its result isn't shown.
  private func finish(_ id: UUID, show: () -> Void) {
    guard current == id else { return }
    isLoading = false
    if !Task.isCancelled { show() }
  }
}
