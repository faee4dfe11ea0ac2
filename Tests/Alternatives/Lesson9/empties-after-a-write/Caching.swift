// A write empties the cache, and a wait that the server requests gets some jitter on top.

import Given

/// Makes a middleware that keeps responses until something is written. A response that was requested before that isn't kept.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let cache = ResponseCache()
  return { request, next in
    guard request.httpMethod == "GET" else {
      await cache.removeAll()
      let result: Result<Response, any Error>
      do { result = .success(try await next(request)) } catch { result = .failure(error) }
      // Even a write that has failed may have taken effect.
      await cache.removeAll()
      return try result.get()
    }

    let key = Key(url: request.url, fields: request.allHTTPHeaderFields ?? [:])
    if let kept = await cache.kept[key], now() < kept.arrival + lifetime { return kept.response }
    let writes = await cache.writes
    do {
      let response = try await next(request)
      if response.head.statusCode == 200 { await cache.keep(response, for: key, since: now(), ifNoneAfter: writes) }
      return response
    } catch {
      guard !Task.isCancelled, let kept = await cache.kept[key] else { throw error }
      return kept.response
    }
  }
}

private struct Key: Hashable {
  let url: URL?
  let fields: [String: String]
}

private actor ResponseCache {
  private(set) var kept: [Key: (response: Response, arrival: Date)] = [:]
  private(set) var writes = 0

  func keep(_ response: Response, for key: Key, since arrival: Date, ifNoneAfter earlier: Int) {
    if writes == earlier { kept[key] = (response, arrival) }
  }

  func removeAll() {
    kept = [:]
    writes += 1
  }
}

/// What we predict about the two orders of step 4.
enum Predictions {
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
