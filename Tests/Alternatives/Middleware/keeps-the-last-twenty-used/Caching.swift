// The cache drops the response that was used longest ago, and without a session, all of them.

import Given

/// Makes a middleware that keeps twenty responses in a list, the last one used at its end.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let list = Locked<[Item]>([])
  return { request, next in
    guard request.httpMethod == "GET" else { return try await next(request) }
    let item = { @Sendable in
      list.withLock { list -> Item? in
        guard let index = list.firstIndex(where: { $0.isFor(request) }) else { return nil }
        list.append(list.remove(at: index))
        return list.last
      }
    }
    if let item = item(), now() < item.arrival + lifetime { return item.response }
    do {
      let response = try await next(request)
      guard response.head.statusCode == 200 else { return response }
      let new = Item(url: request.url, fields: request.allHTTPHeaderFields, response: response, arrival: now())
      list.withLock { list in
        list.removeAll { $0.isFor(request) }
        list = (list + [new]).suffix(20)
      }
      return response
    } catch HTTPClientError.signedOut {
      list.withLock { $0 = [] }
      throw HTTPClientError.signedOut
    } catch HTTPClientError.sessionExpired {
      list.withLock { $0 = [] }
      throw HTTPClientError.sessionExpired
    } catch {
      guard !Task.isCancelled, let item = item() else { throw error }
      return item.response
    }
  }
}

private struct Item: Sendable {
  let url: URL?
  let fields: [String: String]?
  let response: Response
  let arrival: Date

  func isFor(_ request: URLRequest) -> Bool { url == request.url && fields == request.allHTTPHeaderFields }
}

/// What we predict about the two orders of step 3.
enum Predictions {
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
