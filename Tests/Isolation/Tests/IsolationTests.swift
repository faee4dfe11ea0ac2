import Given
import Testing

@testable import MainActorByDefault

@MainActor
@Suite("Where decorators run, by the settings of their module")
struct IsolationTests {
  let places = Locked<[Bool]>([])

  @Test("in a package, an async decorator leaves the caller's actor")
  func package() async throws {
    let sut = PackageDecorator(decoratee: Loader()) { [places] in places.withLock { $0.append(MainQueue.isCurrent) } }

    _ = try await sut.feed()

    #expect(places.withLock { $0 } == [false])
  }

  @Test("in a new app, an async decorator stays on the caller's actor")
  func app() async throws {
    let sut = LoggingFeedLoaderDecorator(decoratee: Loader()) { [places] _ in
      places.withLock { $0.append(MainQueue.isCurrent) }
    }

    _ = try await sut.feed()
    _ = try await Task.detached { try await sut.feed() }.value

    #expect(places.withLock { $0 } == [true, false], "The second caller isn't on the main actor.")
  }

  @Test("in a new app, `@concurrent` leaves the caller's actor")
  func concurrent() async throws {
    let sut = SortingDecorator(decoratee: Loader()) { [places] first, second in
      places.withLock { $0.append(MainQueue.isCurrent) }
      return first < second
    }

    let feed = try await sut.feed()

    #expect(feed == ["cat", "dog"])
    #expect(places.withLock { $0 }.contains(true) == false)
  }
}

private struct Loader: FeedLoading {
  func feed() async throws -> [String] { ["dog", "cat"] }
}

/// A decorator as a package compiles it: this module has no default isolation.
private struct PackageDecorator: FeedLoading {
  let decoratee: any FeedLoading
  let log: @Sendable () -> Void

  func feed() async throws -> [String] {
    let feed = try await decoratee.feed()
    log()
    return feed
  }
}
