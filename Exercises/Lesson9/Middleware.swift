import Given

/// Puts middleware around a client.
///
/// - Parameters:
///   - middleware: From the outside in: the first gets the request first, and sees the answer last.
///   - client: Whom the last one asks.
/// - Returns: A client like any other.
func composed(_ middleware: [Middleware], around client: @escaping Next) -> Next {
  // Step 4: let each ask the next one.
  client
}
