import Given
import TestSupport

/// Makes a response.
func response(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Response {
  let (url, fields) = (URL(string: "https://example.com")!, retryAfter.map { ["Retry-After": $0] })
  return (Data(body.utf8), HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)!)
}

extension SampleError {
  /// The troubles that have nothing to do with a cancellation.
  static let notCanceled = allCases.filter { !$0.error.isCancellation }
}

extension Error {
  /// Whether the error is one that canceled tasks throw.
  var isCancellation: Bool {
    self is CancellationError || (self as? URLError)?.code == .cancelled
  }
}
