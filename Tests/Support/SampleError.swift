import Given

/// What can go wrong with a call: the errors that tests and stories let stubs deliver.
///
/// A solution may treat one of them differently by mistake, so a test of a rule about errors goes through ``allCases``. How a call
/// ends in a story is a `Result` with a trouble as its failure.
public enum SampleError: Error, CaseIterable {
  case refused, badRequest, unauthorized, unavailable, busy, timedOut, canceled, connectionLost, offline, authenticationRequired,
    cancellation,
    userCanceled, explained, notHTTP, malformed, posix
  /// An error without a description of its own. No story has it.
  case unexplained

  /// Every trouble except the one that ends a session.
  public static let notRefused = allCases.filter { !$0.isRefusal }

  /// Whether the server has refused to refresh the credentials. Nothing else ends a session.
  public var isRefusal: Bool { self == .refused }

  /// The error.
  public var error: any Error {
    switch self {
    case .refused: TokenEndpoint.Refused()
    case .badRequest: TokenEndpoint.Unavailable(statusCode: 400)
    case .unauthorized: TokenEndpoint.Unavailable(statusCode: 401)
    case .unavailable: TokenEndpoint.Unavailable(statusCode: 503)
    case .busy: TokenEndpoint.Unavailable(statusCode: 429)
    case .timedOut: URLError(.timedOut)
    case .canceled: URLError(.cancelled)
    case .connectionLost: URLError(.networkConnectionLost)
    case .offline: URLError(.notConnectedToInternet)
    case .authenticationRequired: URLError(.userAuthenticationRequired)
    case .cancellation: CancellationError()
    case .userCanceled: CocoaError(.userCancelled)
    case .explained:
      NSError(
        domain: "com.example.app", code: 7,
        userInfo: [
          NSLocalizedDescriptionKey: "The article is missing.", NSLocalizedFailureReasonErrorKey: "It was removed.",
          NSLocalizedRecoverySuggestionErrorKey: "Read another one.", NSUnderlyingErrorKey: NSError(domain: "Inner", code: 2),
        ])
    case .notHTTP: HTTPClientError.notHTTP
    case .malformed: DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The body is not JSON."))
    case .posix: NSError(domain: NSPOSIXErrorDomain, code: 54)
    case .unexplained: Unexplained()
    }
  }

  /// The error, in a few words.
  public var inWords: String { error.inWords }

  /// Makes up a trouble for a story.
  public static func random(using random: inout SeededRandom) -> Self {
    allCases.dropLast().randomElement(using: &random)!
  }
}

struct Unexplained: Error {}

extension Error {
  /// A short description of the error, without memory addresses.
  public var inWords: String {
    switch self {
    case let error as HTTPClientError: "\(error)"
    case let error as URLError: "URLError \(error.code.rawValue)"
    case is CancellationError: "CancellationError"
    case let error as Unfinished: "\(error)"
    case is TokenEndpoint.Refused: "TokenEndpoint.Refused"
    case let error as TokenEndpoint.Unavailable: "TokenEndpoint.Unavailable(\(error.statusCode))"
    case is DecodingError: "DecodingError"
    default: "NSError \((self as NSError).domain) \((self as NSError).code)"
    }
  }

  /// Whether the error is another one, passed on unchanged.
  public func isSame(as other: any Error) -> Bool {
    let (one, two) = (self as NSError, other as NSError)
    return one.domain == two.domain && one.code == two.code && one.localizedDescription == two.localizedDescription
  }
}
