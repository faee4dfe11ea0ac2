// A new load cancels the older one, and canceled bridge calls return immediately.

import Given

/// An async profile service that wraps a completion-based one.
struct ProfileServiceBridge: AsyncProfileService {
  private let service: any ProfileService & Sendable

  /// - Parameter service: The service to call. It calls its completion exactly once, on any queue.
  init(service: any ProfileService & Sendable) {
    self.service = service
  }

  /// Returns the profile. If the task is canceled, it throws immediately, and the service's result is ignored.
  func profile() async throws -> Profile {
    let call = Call()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.suspend(continuation)
        service.getProfile { call.end(with: $0) }
      }
    } onCancel: {
      call.end(with: .failure(CancellationError()))
    }
  }
}

/// A call that ends with its first result.
private final class Call: Sendable {
  private let state = Locked<(continuation: CheckedContinuation<Profile, any Error>?, result: Result<Profile, any Error>?)>(
    (nil, nil))

  func suspend(_ continuation: CheckedContinuation<Profile, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  func end(with result: Result<Profile, any Error>) {
    let continuation = state.withLock { state in
      if state.result == nil { state.result = result }
      return state.continuation.take()
    }
    continuation?.resume(with: result)
  }
}
