import Given

/// Composes middleware around a client.
///
/// - Parameters:
///   - middleware: The middleware, outermost first. The first one receives the request first and the response last.
///   - client: The function that the last middleware calls.
/// - Returns: A function that sends a request through the middleware and the client.
func composed(_ middleware: [Middleware], around client: @escaping Next) -> Next {
  guard let first = middleware.first else { return client }
  let rest = composed(Array(middleware.dropFirst()), around: client)
  return { request in try await first(request, rest) }
}

/// Makes a middleware that adds credentials to each request.
func authorizing(with credentials: @escaping @Sendable () async throws -> Credentials) -> Middleware {
  { request, next in
    let token = try await credentials().accessToken
    var copy = request
    var fields = copy.allHTTPHeaderFields ?? [:]
    for name in fields.keys where name.lowercased() == "authorization" { fields[name] = nil }
    fields["Authorization"] = "Bearer " + token
    copy.allHTTPHeaderFields = fields
    return try await next(copy)
  }
}
