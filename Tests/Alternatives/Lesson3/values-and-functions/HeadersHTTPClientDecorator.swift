// Client and decorator are structs: the client runs a task behind its completion, and the decorator merges dictionaries.

import Given

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
