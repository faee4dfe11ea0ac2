/// Sends HTTP requests.
///
/// From Lesson 3 on, everything between a view controller and the network is one of these.
public protocol HTTPClient {
  /// Takes the answer to one request.
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  /// Sends a request and delivers its answer.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completion: Called exactly once, on any queue: with the body and the response, whatever its status, or with the
  ///     error that kept the response from arriving.
  func load(_ request: URLRequest, completion: @escaping Completion)
}
