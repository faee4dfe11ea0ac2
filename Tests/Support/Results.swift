import Given
import Testing

extension Result where Failure == any Error {
  /// The delivered value. Reports an issue if an error was delivered instead.
  ///
  /// - Parameters:
  ///   - expectation: The expected result and its reason, as a sentence for the learner.
  ///   - sourceLocation: The source location of issues.
  /// - Returns: The value.
  /// - Throws: An error if an error was delivered. It has been reported as an issue.
  public func expectSuccess(
    _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Success {
    let (delivered, error) = parts
    return try #require(
      delivered, "\(expectation) Delivered instead: \(error.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
  }

  /// Checks that the expected error was delivered.
  ///
  /// - Parameters:
  ///   - expected: The error.
  ///   - expectation: The expected error and its reason, as a sentence for the learner.
  ///   - sourceLocation: The source location of issues.
  public func expectFailure<E: Error & Equatable>(
    _ expected: E, _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (success, error) = parts
    let instead = error.map { "\($0)" } ?? success.map(inWords) ?? "nothing"
    let delivered = error as? E
    #expect(delivered == expected, "\(expectation) Delivered instead: \(instead)", sourceLocation: sourceLocation)
  }

  /// The error; `nil` for a success.
  public var failure: (any Error)? {
    parts.1
  }

  private func inWords(_ success: Success) -> String {
    guard let (data, response) = success as? (Data, HTTPURLResponse) else { return "the value \(success)" }
    return data.isEmpty
      ? "the response \(response.statusCode)" : "the response \(response.statusCode) \(String(decoding: data, as: UTF8.self))"
  }

  private var parts: (Success?, (any Error)?) {
    switch self {
    case .success(let success): (success, nil)
    case .failure(let error): (nil, error)
    }
  }
}
