import Given
import TestSupport
import Testing

extension FeedImage {
  static let cat = FeedImage(title: "A cat", url: URL(string: "https://example.com/cat.jpg")!)
  static let dog = FeedImage(title: "A dog", url: URL(string: "https://example.com/dog.jpg")!)
}

/// An answer with status 200 and a body.
func answer(_ body: String = "") -> Response {
  (
    Data(body.utf8),
    HTTPURLResponse(url: URL(string: "https://example.com")!, statusCode: 200, httpVersion: nil, headerFields: nil)!
  )
}
