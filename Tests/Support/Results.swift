import Given
import Testing

extension Result where Failure == any Error {
  /// The value that was delivered; reports an error in its place.
  ///
  /// - Parameters:
  ///   - expectation: What should have come, as a sentence to the learner.
  ///   - sourceLocation: Where to report.
  /// - Throws: When there is an error, which it has reported by then.
  public func expectSuccess(
    _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Success {
    let (delivered, error) = parts
    return try #require(
      delivered, "\(expectation) Delivered instead: \(error.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
  }

  /// Checks that a certain error was delivered.
  ///
  /// - Parameters:
  ///   - expected: The error.
  ///   - expectation: When and why it should have come, as a sentence to the learner.
  ///   - sourceLocation: Where to report.
  public func expectFailure<E: Error & Equatable>(
    _ expected: E, _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (success, error) = parts
    let instead = error.map { "\($0)" } ?? success.map(inWords) ?? "nothing"
    let delivered = error as? E
    #expect(delivered == expected, "\(expectation) Delivered instead: \(instead)", sourceLocation: sourceLocation)
  }

  /// The error, if there is one.
  public var failure: (any Error)? {
    parts.1
  }

  private func inWords(_ success: Success) -> String {
    guard let (data, response) = success as? (Data, HTTPURLResponse) else { return "a success, \(success)" }
    return "a response, \(response.statusCode) \(String(decoding: data, as: UTF8.self))"
  }

  private var parts: (Success?, (any Error)?) {
    switch self {
    case .success(let success): (success, nil)
    case .failure(let error): (nil, error)
    }
  }
}
