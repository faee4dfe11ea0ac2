// The view model has one state that a failure replaces, and the cache is a list of items with an expiry.

import Given

/// Makes a middleware that keeps responses. Its shelf never says what the clock says.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let shelf = Shelf()
  return { request, next in
    if request.httpMethod == "POST" || request.httpMethod != "GET" { return try await next(request) }
    let (url, fields) = (request.url, request.allHTTPHeaderFields ?? [:])
    let find = { shelf.items.withLock { $0.last { $0.url == url && $0.fields == fields } } }
    let found = find()
    if let found, found.end > now() { return (found.data, found.head) }
    do {
      let (data, head) = try await next(request)
      guard head.statusCode == 200 else { return (data, head) }
      let new = Shelf.Item(url: url, fields: fields, data: data, head: head, end: now() + lifetime)
      shelf.items.withLock { $0.append(new) }
      return (data, head)
    } catch {
      if Task.isCancelled == false, let last = find() { return (last.data, last.head) }
      throw error
    }
  }
}

private final class Shelf: Sendable {
  struct Item {
    let url: URL?
    let fields: [String: String]
    let data: Data
    let head: HTTPURLResponse
    let end: Date
  }

  let items = Locked<[Item]>([])
}

/// What we predict about the two orders of step 4.
enum Predictions {
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
