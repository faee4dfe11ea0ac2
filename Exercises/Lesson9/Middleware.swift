import Given

/// Composes middleware around a client.
///
/// - Parameters:
///   - middleware: The middleware, outermost first. The first one receives the request first and the response last.
///   - client: The function that the last middleware calls.
/// - Returns: A function that sends a request through the middleware and the client.
func composed(_ middleware: [Middleware], around client: @escaping Next) -> Next {
  // Step 3: let each middleware call the next one, and the last one call the client.
  client
}

/// Makes a middleware that adds credentials to each request.
///
/// - Parameter credentials: A closure that returns the credentials for one request, or throws if it can't obtain any.
func authorizing(with credentials: @escaping @Sendable () async throws -> Credentials) -> Middleware {
  // Step 3: send each request with the token of its credentials.
  { request, next in try await next(request) }
}
