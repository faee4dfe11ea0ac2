import Given

/// Makes a middleware that sends a request once more if the server has rejected its token.
///
/// It belongs inside the middleware that adds the token, so that it sees which token that was.
///
/// - Parameter credentials: A closure that receives a rejected token. It returns the credentials to use in its place, or throws if
///   it can't obtain any.
func reauthorizing(with credentials: @escaping @Sendable (_ rejectedToken: String) async throws -> Credentials) -> Middleware {
  // Step 4: after a 401, obtain other credentials, and send the request once more.
  { request, next in try await next(request) }
}
