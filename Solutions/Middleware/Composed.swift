import Given

// Both functions are finished. They are the ones of Lesson 9.

/// Composes middleware around a client.
///
/// - Parameters:
///   - middleware: The middleware, outermost first. The first one receives the request first and the response last.
///   - client: The function that the last middleware calls.
/// - Returns: A function that sends a request through the middleware and the client.
func composed(_ middleware: [Middleware], around client: @escaping Next) -> Next {
  middleware.reversed().reduce(client) { next, middleware in
    { request in try await middleware(request, next) }
  }
}

/// Makes a middleware that adds credentials to each request.
///
/// - Parameter credentials: A closure that returns the credentials for one request, or throws if it can't obtain any.
func authorizing(with credentials: @escaping @Sendable () async throws -> Credentials) -> Middleware {
  { request, next in
    let token = try await credentials().accessToken
    var request = request
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return try await next(request)
  }
}
