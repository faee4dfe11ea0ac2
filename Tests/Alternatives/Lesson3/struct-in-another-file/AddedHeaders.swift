// The decorator is a struct in a file of its own, with the headers as an array, and the function is its only factory.

import Given

/// A client that completes the headers of each request.
struct AddedHeaders: HTTPClient {
  private let base: any HTTPClient
  private let fields: [(name: String, value: String)]

  init(_ headers: [String: String], around base: any HTTPClient) {
    self.base = base
    fields = headers.map { ($0.key, $0.value) }
  }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    base.load(completed(request)) { result in
      completion(result)
    }
  }

  private func completed(_ request: URLRequest) -> URLRequest {
    fields.reduce(request) { request, field in
      guard request.value(forHTTPHeaderField: field.name) == nil else { return request }
      var copy = request
      copy.addValue(field.value, forHTTPHeaderField: field.name)
      return copy
    }
  }
}
