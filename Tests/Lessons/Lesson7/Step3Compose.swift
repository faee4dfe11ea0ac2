import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 3: compose", .oneAtATime)
struct Step3Compose {
  private let loader = LoaderSpy()

  @Test("the feed is loaded in `viewDidLoad` and on each pull to refresh")
  func loadsTheFeed() async {
    let screen = FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader)
    #expect(
      loader.calls.count == 0, "Compose the screen, and load nothing yet: the screen itself requests the feed from its delegate.")

    screen.loadViewIfNeeded()
    #expect(
      loader.calls.arguments == ["feed"],
      "When its view has loaded, the screen requests the feed from its delegate. Give it a delegate that calls the loader.")
    #expect(
      screen.refreshControl.isRefreshing, "During a load, the indicator should run. The presenter tells its views what to show.")

    await loader.calls.complete(with: .success("cat dog"), on: .newBackgroundQueue)
    await settled { !screen.refreshControl.isRefreshing }
    #expect(
      screen.listView.rows == ["cat", "dog"],
      "After a load, the rows should show the feed. The presenter tells its views what to show.")
    #expect(!screen.refreshControl.isRefreshing, "After a load, the indicator should stop.")

    screen.pullToRefresh()
    #expect(loader.calls.arguments == ["feed", "feed"], "A pull to refresh should load the feed again.")
  }

  @Test("a feed or an error is shown on the main queue")
  func dispatchesTheFeed() async {
    let screen = FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader)

    screen.loadViewIfNeeded()
    await loader.calls.complete(with: .failure(SampleError.explained.error), on: .newBackgroundQueue)
    await settled { screen.errorView.message != nil }
    #expect(screen.errorView.message == "The article is missing.", "If the load fails, the error view shows the error's text.")
    screen.pullToRefresh()
    #expect(screen.errorView.message == nil, "The next load hides the error. The presenter tells its views what to show.")
    await loader.calls.complete(1, with: .success("cat"), on: .newBackgroundQueue)
    await settled { screen.listView.rows == ["cat"] }

    #expect(screen.listView.rows == ["cat"], "After a load, the rows should show the feed.")
    let views: [View] = [screen.refreshControl, screen.listView, screen.errorView]
    #expect(
      views.flatMap(\.writesOffMainQueue) == [],
      "The feed loader may deliver on any queue, and the screen does not dispatch. Decorate the loader.")
  }

  @Test("an appearing row loads its image; a disappearing row cancels the load")
  func loadsImages() async throws {
    let screen = FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader)
    screen.loadViewIfNeeded()
    await loader.calls.complete(with: .success("cat dog fox"), on: .newBackgroundQueue)
    await settled { screen.listView.rows.count == 3 }

    let views = (0..<3).map { screen.rowWillAppear($0) }
    #expect(
      loader.calls.arguments == ["feed", "cat.jpg", "dog.jpg", "fox.jpg"],
      "An appearing row loads its image with the loader of the feed adapter. Is that your decorated image loader?")
    await loader.calls.complete(3, with: .success("a fox"), on: .newBackgroundQueue)
    await loader.calls.complete(1, with: .success("a cat"), on: .newBackgroundQueue)
    await settled { views[0]?.data != nil && views[2]?.data != nil }
    screen.rowDidDisappear(1)
    await eventually { !loader.canceled.isEmpty }

    #expect(
      views.map { $0?.data } == [Data("a cat".utf8), nil, Data("a fox".utf8)],
      "Each row shows its own image, when that has arrived.")
    let writesOffMainQueue: [String] = views.flatMap { $0?.writesOffMainQueue ?? [] }
    #expect(
      writesOffMainQueue.isEmpty,
      "The image loader may deliver on any queue, and a row does not dispatch. Decorate the loader.")
    #expect(loader.canceled == [2], "A row that disappears cancels its load, and no other row does.")
  }

  @Test("what arrives on the main queue is shown without a hop")
  func showsWithoutAHop() async {
    let screen = FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader)
    screen.loadViewIfNeeded()
    loader.calls.complete(with: .success("cat"))
    #expect(
      screen.listView.rows == ["cat"] && !screen.refreshControl.isRefreshing,
      "A feed that arrives on the main queue is shown without a hop, and the indicator stops.")

    loader.onCall = { [loader] in loader.calls.complete(1, with: .success("a cat")) }
    let view = screen.rowWillAppear(0)
    #expect(view?.data == Data("a cat".utf8), "An image from a cache is shown without a hop.")

    loader.onCall = { [loader] in loader.calls.complete(2, with: .failure(SampleError.explained.error)) }
    screen.pullToRefresh()
    #expect(
      screen.errorView.message == "The article is missing." && !screen.refreshControl.isRefreshing,
      "An error that arrives on the main queue is shown without a hop, and the indicator stops.")
  }

  @Test("a screen is released if the user leaves it during a load")
  func releasesTheLoadingScreen() async {
    await expectReleased("The user has left, and the load has ended, but something still retains the loader.") { leaks in
      let loader = leaks.track(LoaderSpy())
      await expectReleased(
        "When the user leaves, the screen should be released, even during a load. Draw which of your objects retains which."
      ) { leaks in
        let screen = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader))
        screen.loadViewIfNeeded()
        #expect(loader.calls.count == 1, "When its view has loaded, the screen requests the feed from its delegate.")
      }
      await loader.calls.complete(with: .success("cat"), on: .newBackgroundQueue)
    }
  }

  @Test("a screen is released if the user leaves it after a load")
  func releasesTheScreen() async {
    await expectReleased("The user has left, and all loads have ended, but something still retains the loader.") { leaks in
      let loader = leaks.track(LoaderSpy())
      await expectReleased(
        "When the user leaves, the screen should be released, even while it loads an image. Draw which of your objects retains which."
      ) { leaks in
        let screen = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: loader, imageLoader: loader))
        screen.loadViewIfNeeded()
        await loader.calls.complete(with: .success("cat dog"), on: .newBackgroundQueue)
        await settled { screen.listView.rows.count == 2 }
        screen.rowWillAppear(0)
        screen.rowWillAppear(1)
        await loader.calls.complete(1, with: .success("a cat"), on: .newBackgroundQueue)
        await mainQueueDrained()
      }
      await eventually { !loader.canceled.isEmpty }
      #expect(loader.canceled == [2], "The user has left. Each row should cancel its load, unless that has ended.")
    }
  }
}
