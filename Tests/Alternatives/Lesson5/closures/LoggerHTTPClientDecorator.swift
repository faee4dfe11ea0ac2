// Both functions return a closure behind one type, so that each decorator is nothing but its `load`.

import Given

/// Returns a client that logs the outcome and the duration of every request.
///
/// - Parameters:
///   - client: The client to forward requests to.
///   - log: The log that stores the records.
///   - now: A closure that returns the current instant, as on a stopwatch.
func logging(
  _ client: any HTTPClient, to log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
) -> any HTTPClient {
  ClosureClient { request, completion in
    let (method, path, start) = (request.httpMethod ?? "GET", request.url?.path ?? "", now())

    client.load(request) { result in
      let duration = now() - start
      let outcome: HTTPLogRecord.Outcome
      do {
        outcome = .status(try result.get().1.statusCode)
      } catch {
        outcome = .error(domain: (error as NSError).domain, code: (error as NSError).code)
      }
      log.add(HTTPLogRecord(method: method, path: path, outcome: outcome, duration: duration))
      completion(result)
    }
  }
}
