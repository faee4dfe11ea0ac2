import Given

/// Brings the answer of a service with completions to callers that wait for it.
struct ProfileServiceBridge: AsyncProfileService {
  private let service: any ProfileService & Sendable

  /// - Parameter service: Whom to ask. It calls its completion exactly once, on any queue.
  init(service: any ProfileService & Sendable) {
    self.service = service
  }

  func profile() async throws -> Profile {
    try await withCheckedThrowingContinuation { continuation in
      service.getProfile { continuation.resume(with: $0) }
    }
  }
}
