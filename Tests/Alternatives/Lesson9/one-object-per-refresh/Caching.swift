// Each refresh is an object with a lock, and each kept response is in a slot that is an actor.

import Given

/// Makes a middleware that keeps responses: one slot for each URL and its header fields.
func caching(for lifetime: TimeInterval, now: @escaping @Sendable () -> Date) -> Middleware {
  let shelf = Shelf()
  return { request, next in
    guard (request.httpMethod ?? "GET") == "GET" else { return try await next(request) }
    let slot = await shelf.slot(for: request)
    if let response = await slot.response(at: now(), youngerThan: lifetime) { return response }
    let response: Response
    do {
      response = try await next(request)
    } catch {
      if Task.isCancelled { throw error }
      guard let response = await slot.response(at: .distantPast, youngerThan: .infinity) else { throw error }
      return response
    }
    await slot.put(response, at: now())
    return response
  }
}

private actor Shelf {
  private var slots: [[String: String]: Slot] = [:]

  func slot(for request: URLRequest) -> Slot {
    var key = request.allHTTPHeaderFields ?? [:]
    key[""] = request.url?.absoluteString
    let slot = slots[key] ?? Slot()
    slots[key] = slot
    return slot
  }
}

private actor Slot {
  private var kept: (response: Response, arrival: Date)?

  func response(at now: Date, youngerThan lifetime: TimeInterval) -> Response? {
    kept.flatMap { now.timeIntervalSince($0.arrival) < lifetime ? $0.response : nil }
  }

  func put(_ response: Response, at now: Date) {
    if response.head.statusCode == 200 { kept = (response, now) }
  }
}

/// What we predict about the two orders of step 4.
enum Predictions {
  static let graceGetsAdasFeed: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
  static let adaGetsTheOldFeedOffline: (cachingOutside: Bool?, cachingInside: Bool?) = (true, false)
}
