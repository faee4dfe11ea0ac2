import Given

/// Provides valid credentials. If they have expired, one refresh serves every waiting caller.
final class CredentialsProvider: Sendable {
  private let store: any CredentialsStore & Sendable
  private let refresher: any AsyncCredentialsRefresher
  private let now: @Sendable () -> Date
  /// The refreshes in flight.
  private let operations = Locked<[Operation]>([])

  init(
    store: any CredentialsStore & Sendable, refresher: any AsyncCredentialsRefresher, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  func credentials(replacing rejectedToken: String? = nil) async throws -> Credentials {
    let operation: Operation = try operations.withLock { operations in
      guard let credentials = store.credentials else { throw HTTPClientError.signedOut }
      guard now() >= credentials.expiresAt || credentials.accessToken == rejectedToken else {
        return Operation(done: credentials)
      }
      if let operation = operations.first(where: { $0.old == credentials }) { return operation }
      let operation = Operation(old: credentials)
      operations.append(operation)
      Task.detached { await self.run(operation) }
      return operation
    }
    return try await operation.value()
  }

  private func run(_ operation: Operation) async {
    guard let old = operation.old else { return }
    let result: Result<Credentials, any Error>
    do { result = .success(try await refresher.refresh(with: old.refreshToken)) } catch { result = .failure(error) }
    let outcome: Result<Credentials, any Error> = operations.withLock { operations in
      operations.removeAll { $0 === operation }
      switch result {
      case .success(let new): return store.replace(old, with: new) ? .success(new) : .failure(HTTPClientError.signedOut)
      case .failure(let error):
        guard store.credentials == old else { return .failure(HTTPClientError.signedOut) }
        return .failure(error is TokenEndpoint.Refused ? HTTPClientError.sessionExpired : error)
      }
    }
    operation.finish(outcome)
  }

  /// A refresh and its callers. A canceled caller returns immediately.
  final class Operation: Sendable {
    let old: Credentials?
    private let state:
      Locked<(result: Result<Credentials, any Error>?, waiters: [UUID: CheckedContinuation<Credentials, any Error>])>
    init(old: Credentials) {
      self.old = old
      state = Locked((nil, [:]))
    }
    init(done: Credentials) {
      old = nil
      state = Locked((.success(done), [:]))
    }

    func value() async throws -> Credentials {
      let id = UUID()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result: Result<Credentials, any Error>? = state.withLock { state in
            if let result = state.result { return result }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = continuation
            return nil
          }
          if let result { continuation.resume(with: result) }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
      }
    }

    func finish(_ result: Result<Credentials, any Error>) {
      let waiters = state.withLock { state in
        state.result = result
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
      }
      for waiter in waiters { waiter.resume(with: result) }
    }
  }
}
