import Given

/// The view model of the profile screen. The compiler checks that it is used on the main actor only.
@MainActor
final class ProfileViewModel {
  private(set) var profile: Profile?
  /// The message about the last error, or `nil` if there is none.
  private(set) var message: String?
  /// Whether the activity indicator is shown.
  private(set) var isLoading = false

  private let service: any AsyncProfileService
  /// The number of the newest load. Only its result is shown.
  private var current = 0

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. A load that starts while another is under way replaces it.
  func load() async {
    current += 1
    let id = current
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

  /// Ends a load. If a newer load has replaced it, its result is ignored. If it was canceled, its result is not shown.
  private func finish(_ id: Int, show: () -> Void) {
    guard current == id else { return }
    isLoading = false
    if !Task.isCancelled { show() }
  }
}
