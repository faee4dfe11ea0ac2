// Client and decorator are structs: the client runs a task behind its completion, and the decorator merges dictionaries.

import Given

/// Returns a client that adds headers to the requests of another client, for example the version of the app.
///
/// - Parameters:
///   - headers: The values of the headers to add, by name. No two names may differ in case only. A header that a request
///     already has is not changed.
///   - client: The client to forward the requests to.
/// - Returns: The client to use in place of `client`.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  HeadersHTTPClientDecorator(decoratee: client, headers: headers)
}

/// Adds headers by merging dictionaries whose keys are in lower case.
package struct HeadersHTTPClientDecorator: HTTPClient {
  let decoratee: any HTTPClient
  let headers: [String: String]

  package init(decoratee: any HTTPClient, headers: [String: String]) {
    self.decoratee = decoratee
    self.headers = headers
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    var decorated = request
    let present = Set((request.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
    let missing = headers.filter { !present.contains($0.key.lowercased()) }
    if !missing.isEmpty {
      decorated.allHTTPHeaderFields = (request.allHTTPHeaderFields ?? [:]).merging(missing) { own, _ in own }
    }
    decoratee.load(decorated) { completion($0) }
  }
}
