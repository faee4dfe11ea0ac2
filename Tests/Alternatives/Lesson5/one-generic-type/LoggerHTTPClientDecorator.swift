import Given

func logging(
  _ client: any HTTPClient, to log: any HTTPLog, now: @escaping () -> ContinuousClock.Instant
) -> any HTTPClient {
  DecoratedHTTPClient(
    decoratee: client,
    before: { _ in now() },
    after: { start, request, result in
      let duration = start.duration(to: now())
      log.add(HTTPLogRecord(of: request, result, duration: duration))
      return result
    })
}
