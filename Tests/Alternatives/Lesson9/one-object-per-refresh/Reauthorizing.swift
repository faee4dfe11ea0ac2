import Given

func reauthorizing(with credentials: @escaping @Sendable (_ rejectedToken: String) async throws -> Credentials) -> Middleware {
  Reauthorization(credentials: credentials).send
}

/// Checks before it sends, and sends nothing more if the request has been canceled.
private struct Reauthorization: Sendable {
  let credentials: @Sendable (String) async throws -> Credentials

  func send(_ request: URLRequest, _ next: Next) async throws -> Response {
    guard request.httpBodyStream == nil, let token = request.value(forHTTPHeaderField: "Authorization")?.bearer else {
      return try await next(request)
    }
    let first = try await next(request)
    if first.head.statusCode != 401 { return first }
    let new = try await credentials(token)
    try Task.checkCancellation()
    var second = request
    second.allHTTPHeaderFields?["Authorization"] = "Bearer \(new.accessToken)"
    return try await next(second)
  }
}

extension String {
  fileprivate var bearer: String? { wholeMatch(of: /Bearer (.*)/).map { String($0.1) } }
}
