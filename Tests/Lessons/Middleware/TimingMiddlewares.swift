import Given
import TestSupport

import class Given.Locked

/// The middlewares that a learner's tests are run against.
///
/// Each one calls the client at least once for each request.
enum TimingMiddlewares {
  typealias Now = @Sendable () -> ContinuousClock.Instant
  typealias Report = @Sendable (Timing) -> Void
  /// Makes a middleware that measures each request.
  typealias Make = @Sendable (@escaping Now, @escaping Report) -> Middleware

  /// Right ones, of other designs than the one that is given.
  static let right = [
    Candidate<Make>(
      """
      It keeps its start times in an actor, and calls the client a little later. Wait for a call before you start another one, \
      before you cancel it, and before you end it.
      """
    ) { now, report in
      let starts = StartTimes()
      return { request, next in
        let id = await starts.add(now())
        await moment()
        let result = await result(of: next, for: request)
        let end = now()
        report(Timing(duration: await starts.remove(id).duration(to: end), error: result.failure))
        return try result.get()
      }
    },
    Candidate<Make>(
      "It keeps its start times behind a lock, and reports a little later. Wait for the end of a call before you expect its report."
    ) { now, report in
      let starts = Locked<[UUID: ContinuousClock.Instant]>([:])
      return { request, next in
        let id = UUID()
        starts.withLock { $0[id] = now() }
        let result = await result(of: next, for: request)
        let end = now()
        await moment()
        let start = starts.withLock { $0.removeValue(forKey: id) } ?? end
        report(Timing(duration: start.duration(to: end), error: result.failure))
        return try result.get()
      }
    },
    Candidate<Make>("It is a method of a struct.") { now, report in Stopwatch(now: now, report: report).time },
  ]

  /// Wrong ones. Each makes one mistake, and they get harder to catch.
  static let wrong = [
    Candidate<Make>("It reports when it has sent the request, and not when the request has ended.") { now, report in
      { request, next in
        let start = now()
        async let response = next(request)
        report(Timing(duration: start.duration(to: now()), error: nil))
        return try await response
      }
    },
    Candidate<Make>("It reports nothing if a request fails.") { now, report in
      { request, next in
        let start = now()
        let response = try await next(request)
        report(Timing(duration: start.duration(to: now()), error: nil))
        return response
      }
    },
    Candidate<Make>("If a request fails, it reports that twice.") { now, report in
      { request, next in
        let start = now()
        var failure: (any Error)?
        defer { report(Timing(duration: start.duration(to: now()), error: failure)) }
        do {
          return try await next(request)
        } catch {
          failure = error
          report(Timing(duration: start.duration(to: now()), error: error))
          throw error
        }
      }
    },
    Candidate<Make>("It adds a header field to the request. (On Linux, `==` of two requests ignores header fields.)") {
      now, report in
      let timing = Stopwatch(now: now, report: report)
      return { request, next in
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Timed")
        return try await timing.time(request, next)
      }
    },
    Candidate<Make>("If a request fails, it returns an empty response, and swallows the error.") { now, report in
      { request, next in
        let start = now()
        let result = await result(of: next, for: request)
        report(Timing(duration: start.duration(to: now()), error: result.failure))
        return (try? result.get()) ?? response(200)
      }
    },
    Candidate<Make>("It sends a request once more if the first attempt fails.") { now, report in
      let timing = Stopwatch(now: now, report: report)
      return { request, next in
        try await timing.time(request) { request in
          do { return try await next(request) } catch { return try await next(request) }
        }
      }
    },
    Candidate<Make>("It has room for one start time, so it measures requests that overlap from the same start.") {
      now, report in
      let start = Locked<ContinuousClock.Instant?>(nil)
      return { request, next in
        start.withLock { $0 = now() }
        let result = await result(of: next, for: request)
        let end = now()
        report(Timing(duration: (start.withLock { $0 } ?? end).duration(to: end), error: result.failure))
        return try result.get()
      }
    },
    Candidate<Make>("It reports a canceled request as a success.") { now, report in
      { request, next in
        let start = now()
        let result = await result(of: next, for: request)
        let isCanceled = Task.isCancelled || result.failure?.isCancellation == true
        report(Timing(duration: start.duration(to: now()), error: isCanceled ? nil : result.failure))
        return try result.get()
      }
    },
    Candidate<Make>("It sends the request in a task of its own, so a cancellation does not reach the client.") { now, report in
      let timing = Stopwatch(now: now, report: report)
      return { request, next in
        try await withoutActuallyEscaping(next) { next in
          try await timing.time(request) { request in try await Task { try await next(request) }.value }
        }
      }
    },
  ]

  private static func result(of next: Next, for request: URLRequest) async -> Result<Response, any Error> {
    do { return .success(try await next(request)) } catch { return .failure(error) }
  }

  /// Passes so late that a test that does not wait fails in every run.
  private static func moment() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
    }
  }
}

/// The start times of the requests in flight.
private actor StartTimes {
  private var starts: [UUID: ContinuousClock.Instant] = [:]

  func add(_ start: ContinuousClock.Instant) -> UUID {
    let id = UUID()
    starts[id] = start
    return id
  }

  func remove(_ id: UUID) -> ContinuousClock.Instant { starts.removeValue(forKey: id)! }
}

private struct Stopwatch: Sendable {
  let now: TimingMiddlewares.Now
  let report: TimingMiddlewares.Report

  func time(_ request: URLRequest, _ next: Next) async throws -> Response {
    let start = now()
    var failure: (any Error)?
    defer { report(Timing(duration: start.duration(to: now()), error: failure)) }
    do {
      return try await next(request)
    } catch {
      failure = error
      throw error
    }
  }
}
