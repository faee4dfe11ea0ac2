// Both decorators are structs that store functions in place of the objects that they call.

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
  LoggerHTTPClientDecorator(decoratee: client, log: log, now: now)
}

/// An HTTP client that logs the outcome and the duration of every request.
package struct LoggerHTTPClientDecorator: HTTPClient {
  private let load: (URLRequest, @escaping HTTPClient.Completion) -> Void
  private let add: (HTTPLogRecord) -> Void
  private let now: () -> ContinuousClock.Instant

  package init(decoratee: any HTTPClient, log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant) {
    load = decoratee.load
    add = log.add
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let finish = record(request, since: now())
    load(request) { result in
      defer { completion(result) }
      finish(result)
    }
  }

  private func record(
    _ request: URLRequest, since start: ContinuousClock.Instant
  ) -> (Result<(Data, HTTPURLResponse), any Error>) -> Void {
    { result in add(HTTPLogRecord(of: request, result, duration: now() - start)) }
  }
}
