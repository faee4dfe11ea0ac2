import Given
import Testing

@testable import MainActorByDefault
@testable import NonisolatedByDefault

@MainActor
@Suite("Where decorators run, by the settings of their module")
struct IsolationTests {
  @Test("in a package, an async decorator leaves the caller's actor")
  func package() async throws {
    let places = Locked<[Bool]>([])
    let sut = NonisolatedByDefault.LoggingFeedLoaderDecorator(decoratee: PackageLoader()) { _ in
      places.withLock { $0.append(MainQueue.isCurrent) }
    }

    _ = try await sut.feed()

    #expect(places.withLock { $0 } == [false])
  }

  @Test("in a new app, an async decorator stays on the caller's actor")
  func app() async throws {
    let places = Locked<[Bool]>([])
    let sut = MainActorByDefault.LoggingFeedLoaderDecorator(decoratee: AppLoader()) { _ in
      places.withLock { $0.append(MainQueue.isCurrent) }
    }

    _ = try await sut.feed()
    _ = try await Task.detached { try await sut.feed() }.value

    #expect(places.withLock { $0 } == [true, false], "The second caller isn't on the main actor.")
  }

  @Test("in a new app, `@concurrent` leaves the caller's actor")
  func concurrent() async throws {
    let places = Locked<Set<Bool>>([])
    let sut = MainActorByDefault.SortingDecorator(decoratee: AppLoader()) { first, second in
      places.withLock { _ = $0.insert(MainQueue.isCurrent) }
      return first < second
    }

    let feed = try await sut.feed()

    #expect(feed == ["cat", "dog"])
    #expect(places.withLock { $0 } == [false])
  }
}

private struct PackageLoader: NonisolatedByDefault.FeedLoading {
  func feed() async throws -> [String] { ["dog", "cat"] }
}

private struct AppLoader: MainActorByDefault.FeedLoading {
  func feed() async throws -> [String] { ["dog", "cat"] }
}
