// A lock guards the kept responses, `retrying` is recursive, and the second request is sent by a loop.

import Given

/// Makes a middleware that keeps responses, and returns them again until they are too old.
///
/// The URL and the header fields, sorted, are the key, and a lock protects the dictionary. The lock is never held while anything is called.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let kept = Locked<[[String]: (response: Response, expiry: Date)]>([:])
  return { request, next in
    let key = [request.url?.absoluteString ?? ""] + (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.sorted()
    let old = request.httpMethod ?? "GET" == "GET" ? kept.withLock { $0[key] } : nil
    switch old {
    case .some(let old) where now() < old.expiry: return old.response
    default: break
    }
    let result: Result<Response, any Error>
    do { result = .success(try await next(request)) } catch { result = .failure(error) }
    switch result {
    case .success(let response) where response.head.statusCode == 200 && request.httpMethod ?? "GET" == "GET":
      let expiry = now().addingTimeInterval(lifetime)
      kept.withLock { $0[key] = (response, expiry) }
    case .failure(let error) where !(Task.isCancelled || error is HTTPClientError):
      if request.httpMethod ?? "GET" == "GET", let last = kept.withLock({ $0[key] }) { return last.response }
    default: break
    }
    return try result.get()
  }
}

/// What we predict about the two orders of step 3.
enum Predictions {
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
