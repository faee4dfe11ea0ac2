import Given

/// What the profile screen shows. It lives on the main actor, and the compiler sees to it.
@MainActor
final class ProfileViewModel {
  private(set) var profile: Profile?
  /// What went wrong; `nil` when nothing did.
  private(set) var message: String?
  /// Whether the indicator turns.
  private(set) var isLoading = false

  private let service: any AsyncProfileService
  /// The load whose answer is wanted: the newest.
  private var current: UUID?

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. A load that begins while another is under way takes its place.
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

  /// Ends a load, unless another has taken its place meanwhile: then its answer is of no interest any more. A load that was
  /// cancelled shows nothing, whatever has come.
  private func finish(_ id: UUID, show: () -> Void) {
    guard current == id else { return }
    isLoading = false
    if !Task.isCancelled { show() }
  }
}
