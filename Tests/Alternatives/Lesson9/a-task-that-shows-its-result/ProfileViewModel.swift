import Given

/// What the profile screen shows. A new load cancels the older one.
@MainActor
final class ProfileViewModel {
  private(set) var profile: Profile?
  private(set) var message: String?
  private(set) var isLoading = false
  private let service: any AsyncProfileService
  private var newest: Task<Void, Never>?

  init(service: any AsyncProfileService) { self.service = service }
  deinit { newest?.cancel() }

  func load() async {
    newest?.cancel()
    isLoading = true
    let task = Task { [weak self, service] in
      let result: Result<Profile, any Error>
      do { result = .success(try await service.profile()) } catch { result = .failure(error) }
      self?.show(result)
    }
    newest = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if newest == task {
      isLoading = false
      newest = nil
    }
  }

  private func show(_ result: Result<Profile, any Error>) {
    guard !Task.isCancelled else { return }
    switch result {
    case .success(let profile): (self.profile, message) = (profile, nil)
    case .failure(let error): message = error.localizedDescription
    }
  }
}
