import Given
import Testing

/// Checks that a request was forwarded unchanged.
///
/// - Parameters:
///   - sent: The request that was sent.
///   - original: The request that the caller made.
///   - added: The header field that may have been added or changed, if any.
///   - sourceLocation: The source location of issues.
public func expectUnchanged(
  _ sent: URLRequest, from original: URLRequest, except added: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func expect<Value: Equatable>(_ part: String, _ value: (URLRequest) -> Value) {
    #expect(
      value(sent) == value(original),
      "The \(part) should be unchanged. Don't build a new request, and change nothing that is not your concern.",
      sourceLocation: sourceLocation)
  }

  expect("URL", \.url)
  expect("method", \.httpMethod)
  expect("body", \.httpBody)
  expect("cache policy", \.cachePolicy)
  expect("timeout", \.timeoutInterval)
  expect("cookie setting", \.httpShouldHandleCookies)
  expect("network service type", \.networkServiceType)
  for field in (original.allHTTPHeaderFields ?? [:]).keys where field != added {
    expect("\(field) header") { $0.value(forHTTPHeaderField: field) }
  }
}
