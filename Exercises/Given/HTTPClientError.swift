/// The reasons for a failed request, apart from the network's own errors.
public enum HTTPClientError: Error, Equatable, Sendable {
  /// The response was not an HTTP response.
  case notHTTP
  /// No one is signed in, so there are no credentials to send.
  case signedOut
  /// The back end refused to refresh the credentials: the user has to sign in again.
  case sessionExpired
  /// The back end has blocked this account permanently.
  case permanentlyBlocked
}

extension HTTPClientError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .notHTTP: "The response was not an HTTP response."
    case .signedOut: "Please sign in."
    case .sessionExpired: "Your session has expired. Please sign in again."
    case .permanentlyBlocked: "This account has been blocked."
    }
  }
}
