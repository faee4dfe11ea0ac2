/// Sends HTTP requests, and can be used from any queue.
///
/// From Lesson 3 on, everything between a view controller and the network conforms to this protocol.
public protocol HTTPClient {
  /// Receives the result of a request.
  typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  /// Sends a request and delivers its result.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - completion: A closure that receives the body and the response, with any status, or the error that prevented a
  ///     response. Called exactly once, on any queue, before or after this method returns.
  func load(_ request: URLRequest, completion: @escaping Completion)
}
