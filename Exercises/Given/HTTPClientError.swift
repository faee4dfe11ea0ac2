/// Why a request had no answer that its sender could use, other than the network's own errors.
public enum HTTPClientError: Error, Equatable, Sendable {
  /// The answer was not an HTTP response.
  case notHTTP
  /// Nobody is signed in, so there are no credentials to send.
  case signedOut
  /// The credentials have expired and could not be refreshed: the user has to sign in again.
  case sessionExpired
  /// The back end has blocked this account for good.
  case permanentlyBlocked
}

extension HTTPClientError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .notHTTP: "The answer was not an HTTP response."
    case .signedOut: "Please sign in."
    case .sessionExpired: "Your session has expired. Please sign in again."
    case .permanentlyBlocked: "This account has been blocked."
    }
  }
}
