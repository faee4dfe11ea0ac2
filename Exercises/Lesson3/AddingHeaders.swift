import Given

/// Returns a client that adds headers to the requests of another client, for example the version of the app.
///
/// - Parameters:
///   - headers: The values of the headers to add, by name. No two names may differ in case only. A header that a request
///     already has is not changed.
///   - client: The client to forward the requests to.
/// - Returns: The client to use in place of `client`.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  // Step 2: declare a decorator in this file, and return one that wraps `client`.
  client
}
