import Given

/// An async profile service that wraps a completion-based one.
struct ProfileServiceBridge: AsyncProfileService {
  private let service: any ProfileService & Sendable

  /// - Parameter service: The service to call. It calls its completion exactly once, on any queue.
  init(service: any ProfileService & Sendable) {
    self.service = service
  }

  func profile() async throws -> Profile {
    // Step 7: call the service, and return or throw what its completion receives.
    throw Unfinished("Lesson 9, step 7: bridge the service")
  }
}
