// Both decorators are one generic type with a closure before the call and one after it. What passes between them belongs to one request.

import Given

/// A client that does something before it forwards a request, and something with the result.
///
/// `Memory` is what the first closure leaves to the second one, for example the time of the call.
struct DecoratedHTTPClient<Memory>: HTTPClient {
  let decoratee: any HTTPClient
  /// Runs before each request is forwarded. If it throws, nothing is sent, and its error is delivered.
  let before: (URLRequest) throws -> Memory
  /// Runs when the result arrives, and returns the result to deliver.
  let after: (Memory, URLRequest, Result<(Data, HTTPURLResponse), any Error>) -> Result<(Data, HTTPURLResponse), any Error>

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let memory: Memory
    do {
      memory = try before(request)
    } catch {
      return completion(.failure(error))
    }
    decoratee.load(request) { [after] result in completion(after(memory, request, result)) }
  }
}
