// A new load cancels the older one.

import Given

/// What the profile screen shows. The compiler checks that it's used on the main actor only.
@MainActor
final class ProfileViewModel {
  private(set) var profile: Profile?
  /// The message about the last failure, or `nil` if there is none.
  private(set) var message: String?
  /// Whether the activity indicator is shown.
  private(set) var isLoading = false

  private let service: any AsyncProfileService
  /// The newest call of the service.
  private var newest: Task<Profile, any Error>?

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. A load that starts while another is in flight cancels it.
  func load() async {
    newest?.cancel()
    let task = Task { [service] in try await service.profile() }
    newest = task
    isLoading = true
    message = nil

    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }

    guard newest == task else { return }
    isLoading = false
    guard !Task.isCancelled else { return }
    switch result {
    case .success(let profile): self.profile = profile
    case .failure(let error): message = error.localizedDescription
    }
  }
}
