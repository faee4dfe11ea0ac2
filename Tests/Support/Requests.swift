import Given
import Testing

/// Checks that a request arrived as its caller made it.
///
/// - Parameters:
///   - sent: The request as it arrived.
///   - original: The request as it was made.
///   - added: The header field that may have been added or changed on the way, if any.
///   - sourceLocation: Where to report.
public func expectUnchanged(
  _ sent: URLRequest, from original: URLRequest, except added: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func expect<Value: Equatable>(_ part: String, _ value: (URLRequest) -> Value) {
    #expect(
      value(sent) == value(original), "The \(part) belongs to the caller. Change a copy of the request, and only your own part.",
      sourceLocation: sourceLocation)
  }

  expect("URL", \.url)
  expect("method", \.httpMethod)
  expect("body", \.httpBody)
  expect("cache policy", \.cachePolicy)
  expect("timeout", \.timeoutInterval)
  expect("choice whether cookies are sent", \.httpShouldHandleCookies)
  expect("network service type", \.networkServiceType)
  for field in (original.allHTTPHeaderFields ?? [:]).keys where field != added {
    expect("header \(field)") { $0.value(forHTTPHeaderField: field) }
  }
}
