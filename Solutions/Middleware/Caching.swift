import Given

/// Makes a middleware that keeps the 200s of GETs. It returns them again as long as they are fresh, and, when a request fails, at any
/// age.
///
/// It keeps the responses to twenty requests. It reads neither `Cache-Control` nor a request's cache policy: for a cache that does what
/// servers say, take `URLCache`.
///
/// - Parameters:
///   - lifetime: How long a response is fresh, in seconds from its arrival.
///   - now: A closure that returns the current date.
/// - Returns: A middleware with a cache of its own, in memory.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let cache = ResponseCache()
  return { request, next in
    guard request.httpMethod == "GET" else { return try await next(request) }

    let kept = await cache[request]
    if let kept, now() < kept.arrival + lifetime { return kept.response }
    do {
      let response = try await next(request)
      if response.head.statusCode == 200 { await cache.keep(response, for: request, since: now()) }
      return response
    } catch let error as HTTPClientError where [.signedOut, .sessionExpired, .permanentlyBlocked].contains(error) {
      // An old response may belong to a user who has left. A blocked one gets nothing.
      throw error
    } catch {
      // A canceled request ends with its own error: nobody waits for an old response.
      guard !Task.isCancelled, let kept = await cache[request] else { throw error }
      return kept.response
    }
  }
}

/// The responses to twenty different requests. Without a limit, those for old tokens would stay in memory.
private actor ResponseCache {
  typealias Entry = (response: Response, arrival: Date)

  /// What a response depends on. The rest of a request, such as its timeout, changes nothing about the response.
  private struct Key: Hashable {
    let url: URL?
    let fields: [String: String]

    init(_ request: URLRequest) {
      (url, fields) = (request.url, request.allHTTPHeaderFields ?? [:])
    }
  }

  private var entries: [Key: Entry] = [:]

  subscript(request: URLRequest) -> Entry? { entries[Key(request)] }

  func keep(_ response: Response, for request: URLRequest, since arrival: Date) {
    let key = Key(request)
    entries[key] = (response, arrival)
    guard entries.count > 20 else { return }
    // The new response stays, even if others have arrived at the same moment.
    let others = entries.filter { $0.key != key }
    if let oldest = others.min(by: { $0.value.arrival < $1.value.arrival }) { entries[oldest.key] = nil }
  }
}

/// What we predict about the two orders of step 3.
enum Predictions {
  /// Ada has loaded her feed. While it is fresh, Grace signs in, and requests the same URL. Does she get Ada's feed?
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)

  /// Ada has a feed that is too old. Her token has expired, and she is offline. Does she get the old feed?
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
