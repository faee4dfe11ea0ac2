import Given

/// How a refresh ends.
public enum RefreshEnd: CaseIterable, Sendable {
  case succeeds
  case isRefused
  case findsNoConnection
  case findsTheEndpointUnavailable
  case findsTheEndpointBusy

  /// Every end but the success.
  public static let failures = allCases.filter { $0 != .succeeds }

  /// What the refresher delivers.
  ///
  /// - Parameter new: The credentials of a refresh that succeeds.
  public func result(_ new: Credentials = .renewed) -> Result<Credentials, any Error> {
    switch self {
    case .succeeds: .success(new)
    case .isRefused: .failure(Trouble.refused.error)
    case .findsNoConnection: .failure(Trouble.offline.error)
    case .findsTheEndpointUnavailable: .failure(Trouble.unavailable.error)
    case .findsTheEndpointBusy: .failure(Trouble.busy.error)
    }
  }
}

extension Credentials {
  /// Credentials that are valid from now on.
  ///
  /// - Parameters:
  ///   - lifetime: The time until they expire, in seconds.
  ///   - clock: The clock that shows the current date.
  public static func valid(for lifetime: TimeInterval, on clock: ManualClock) -> Credentials {
    Credentials(
      accessToken: "valid-token", refreshToken: "refresh-1", expiresAt: clock.date.addingTimeInterval(lifetime))
  }
}

extension StubServer.Response {
  /// Whether a request or a refresh that receives this response fails with an error.
  ///
  /// - Parameter error: The error to judge. `URLSession` may add to an error's `userInfo`, so only domain and code count.
  public func causes(_ error: any Error) -> Bool {
    switch self {
    case .failure(let code): (error as? URLError)?.code == code
    case .error(let domain, let code): (error as NSError).domain == domain && (error as NSError).code == code
    case .notHTTP: error as? HTTPClientError == .notHTTP
    // The token endpoint's status is 200, but there are no credentials in the body.
    case .response(200, _, _): error is DecodingError
    case .response(let status, _, _): error as? TokenEndpoint.Unavailable == TokenEndpoint.Unavailable(statusCode: status)
    }
  }
}
