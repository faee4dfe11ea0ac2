import Given
import Testing

/// Checks that a client keeps the requests of two threads apart, and that neither thread waits for a completion of the other.
///
/// - Parameters:
///   - sourceLocation: The source location of issues.
///   - make: A closure that wraps a client, which responds to each request immediately, with its path.
public func expectTwoThreadsDoNotMeet(
  sourceLocation: SourceLocation = #_sourceLocation, in make: (any HTTPClient) -> any HTTPClient
) async {
  let sut = Handover(
    make(
      ClosureClient { request, completion in
        completion(request.url?.path == "/blocked" ? .permanentBlock : .status(200, request.url?.path ?? ""))
      }))
  let results = Inbox<Bool>()
  let load = { @Sendable (path: String) in sut.value.load(.story(path)) { results.receive($0.text == "200 \(path)") } }

  let rounds = await meet(
    500,
    first: { round, arrive in
      arrive()
      load("/first/\(round)")
    },
    second: { round, arrive in
      arrive()
      load("/second/\(round)")
    })
  #expect(rounds != nil, "A call to `load` has not returned. Two threads are in your code.", sourceLocation: sourceLocation)
  await results.receives(2 * (rounds ?? 0))
  #expect(
    results.values.count == 2 * (rounds ?? 0) && results.values.allSatisfy(\.self),
    "Two threads called `load` at almost the same moment. Each request needs its own result, once. What do the two calls share?",
    sourceLocation: sourceLocation)

  for path in ["/articles", "/blocked"] {
    let hasReturned = await returns {
      sut.value.load(.story(path)) { _ in onAnotherThread(for: 10) { load("/comments") } }
    }
    #expect(
      hasReturned,
      "`load` never returned. During its completion, another thread loaded a second request, and had to wait: hold no lock then.",
      sourceLocation: sourceLocation)
  }
}
