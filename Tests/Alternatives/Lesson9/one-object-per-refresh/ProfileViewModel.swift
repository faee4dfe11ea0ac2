import Given

/// What the profile screen shows. The indicator disappears as soon as the newest load is canceled.
@MainActor
final class ProfileViewModel {
  enum State {
    case idle(Profile?, String?)
    case loading(Int, Profile?)
  }
  private var state = State.idle(nil, nil)
  private var count = 0
  private let service: any AsyncProfileService
  init(service: any AsyncProfileService) { self.service = service }

  var profile: Profile? {
    switch state {
    case .idle(let profile, _), .loading(_, let profile): profile
    }
  }
  var message: String? {
    if case .idle(_, let message) = state { message } else { nil }
  }
  var isLoading: Bool {
    if case .loading = state { true } else { false }
  }

  func load() async {
    count += 1
    let id = count
    state = .loading(id, profile)
    let result = await withTaskCancellationHandler {
      await Task { [service] in try await service.profile() }.outcome()
    } onCancel: {
      Task { @MainActor in stop(id) }
    }
    guard case .loading(id, let old) = state else { return }
    if Task.isCancelled {
      state = .idle(old, nil)
      return
    }
    switch result {
    case .success(let profile): state = .idle(profile, nil)
    case .failure(let error): state = .idle(nil, error.localizedDescription)
    }
  }

  private func stop(_ id: Int) {
    if case .loading(id, let old) = state { state = .idle(old, nil) }
  }
}

extension Task where Success == Profile, Failure == any Error {
  /// Waits for the task, and cancels it with its caller.
  fileprivate func outcome() async -> Result<Profile, any Error> {
    await withTaskCancellationHandler {
      await result
    } onCancel: {
      cancel()
    }
  }
}
