import Given

/// Makes a middleware that sends a request once more if the server has rejected its token.
///
/// It belongs inside the middleware that adds the token, so that it sees which token that was.
///
/// - Parameter credentials: A closure that receives a rejected token. It returns the credentials to use in its place, or throws if
///   it can't obtain any.
func reauthorizing(with credentials: @escaping @Sendable (_ rejectedToken: String) async throws -> Credentials) -> Middleware {
  { request, next in
    let response = try await next(request)
    // A body that is a stream has been read. A second request would send an empty one.
    guard response.head.statusCode == 401, request.httpBodyStream == nil, let token = bearerToken(of: request) else {
      return response
    }
    let new = try await credentials(token)
    var request = request
    request.setValue("Bearer \(new.accessToken)", forHTTPHeaderField: "Authorization")
    return try await next(request)
  }
}

private func bearerToken(of request: URLRequest) -> String? {
  guard let field = request.value(forHTTPHeaderField: "Authorization"), field.hasPrefix("Bearer ") else { return nil }
  return String(field.dropFirst("Bearer ".count))
}
