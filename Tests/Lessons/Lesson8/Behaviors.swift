import Given
import TestSupport
import Testing

// What several stages have in common.

extension Scene {
  /// Checks what a view model shows after a load, after a failed one, and after another load.
  func expectShows(_ sut: ViewModel, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await run { await sut.load() }
    #expect(sut.items() == .sample, "Show what the loader has loaded, in its order.", sourceLocation: sourceLocation)
    #expect(sut.message() == nil, "Nothing has gone wrong.", sourceLocation: sourceLocation)

    try await run(answering: .failure(LoadError())) { await sut.load() }
    #expect(
      sut.message() == "The transactions cannot be shown right now.", "Show the error's message.",
      sourceLocation: sourceLocation)
    #expect(sut.items() == .sample, "A failed load brings no items: leave those that are there.", sourceLocation: sourceLocation)

    try await run(answering: .success([])) { await sut.load() }
    #expect(sut.items() == [], "The account has no transactions any more.", sourceLocation: sourceLocation)
    #expect(sut.message() == nil, "The load has worked: the message has to go.", sourceLocation: sourceLocation)
  }

  /// Starts a load, a second one 2 seconds later, and ends the second after another 3 seconds and the first after 4 more.
  func measureOverlappingLoads(_ load: @escaping () async throws -> Void) async throws {
    let first = start(load)
    await loader.calls.receives(1)
    clock.advance(by: 2)
    let second = start(load)
    await loader.calls.receives(2)
    clock.advance(by: 3)
    loader.calls.complete(1, with: .success(.sample))
    _ = try await second.outcome()
    clock.advance(by: 4)
    loader.calls.complete(0, with: .success([]))
    _ = try await first.outcome()
  }

  /// Checks the messages that overlapping loads have left.
  func expectOverlappingLoads(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      logger.values == [LoadMessage.loaded(3, in: .seconds(3)), LoadMessage.loaded(0, in: .seconds(9))],
      "The second load took 3 seconds and the first 9: each has a start of its own, and leaves its message when it ends.",
      sourceLocation: sourceLocation)
  }
}
