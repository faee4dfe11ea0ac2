import Given
import TestSupport

/// Makes a response.
func response(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> Response {
  let (url, fields) = (URL(string: "https://example.com")!, retryAfter.map { ["Retry-After": $0] })
  return (Data(body.utf8), HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)!)
}

extension Array {
  /// Any of the elements, most often the newest, which is the last; `nil` if there are none.
  func newest(using random: inout SeededRandom) -> Element? {
    isEmpty ? nil : self[count - 1 - [0, 0, 1, 2, 3].randomElement(using: &random)! % count]
  }
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
