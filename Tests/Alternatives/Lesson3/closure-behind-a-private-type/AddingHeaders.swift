// A private type makes a client of any closure, and the closure adds the headers.

import Given

/// Returns a client that adds headers to the requests of another client.
func addingHeaders(_ headers: [String: String], to client: any HTTPClient) -> any HTTPClient {
  Client { request, completion in
    var request = request
    let own = request.allHTTPHeaderFields ?? [:]
    for (name, value) in headers where !own.keys.contains(where: { $0.caseInsensitiveCompare(name) == .orderedSame }) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    client.load(request, completion: completion)
  }
}

private struct Client: HTTPClient {
  let send: (URLRequest, @escaping HTTPClient.Completion) -> Void

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    send(request, completion)
  }
}
