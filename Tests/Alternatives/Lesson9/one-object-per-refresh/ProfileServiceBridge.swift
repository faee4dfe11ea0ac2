import Given

/// An async profile service that wraps a completion-based one. A canceled call returns immediately.
struct ProfileServiceBridge: AsyncProfileService {
  private let service: any ProfileService & Sendable
  init(service: any ProfileService & Sendable) { self.service = service }

  func profile() async throws -> Profile {
    let (stream, continuation) = AsyncThrowingStream<Profile, any Error>.makeStream()
    service.getProfile { result in
      continuation.yield(with: result)
      continuation.finish()
    }
    for try await profile in stream { return profile }
    throw CancellationError()
  }
}
