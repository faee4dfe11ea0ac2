import Given

/// Returns a client that adds headers to the requests of another client.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  // Without headers, there is nothing to wrap.
  headers.isEmpty ? client : AddedHeaders(headers, around: client)
}
