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
