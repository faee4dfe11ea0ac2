import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 4: compose", .oneAtATime)
struct Step4Compose {
  @Test("the screen loads the feed when its view loads, and not before")
  func loadsWithTheView() {
    let (sut, feedLoader, _) = makeSUT()

    #expect(feedLoader.calls.count == 0, "The view has not been loaded yet. The composer should not load the feed itself.")
    sut.loadViewIfNeeded()

    #expect(feedLoader.calls.count == 1, "The view was loaded, so the delegate should load the feed, once.")
  }

  @Test("the indicator runs during a load and stops when it ends")
  func showsLoading() async {
    await each("ending", in: LoadEnding.all) { ending in
      let (sut, feedLoader, _) = makeSUT()

      sut.loadViewIfNeeded()
      #expect(
        sut.refreshControl.history == [true], "The load has started, so the indicator should be running. Call the presenter.")
      await feedLoader.calls.complete(with: ending.feed, on: .background)
      await mainQueueDrained()

      #expect(
        sut.refreshControl.history == [true, false], "The load has ended, so the indicator should stop. Call the presenter.")
      #expect(
        sut.refreshControl.writesOffMainQueue.isEmpty, "The indicator was updated on another queue. Decorate the feed loader.")
    }
  }

  @Test("a feed from a background queue is shown on the main queue")
  func showsTheFeed() async {
    await each("queue", in: BackgroundQueue.allCases) { queue in
      let (sut, feedLoader, _) = makeSUT()

      sut.loadViewIfNeeded()
      await feedLoader.calls.complete(with: .success([.cat, .dog]), on: queue.queue)
      await mainQueueDrained()

      #expect(
        sut.listView.rows == ["A cat", "A dog"],
        "The screen should show a row for each image, in the order of the feed. Check the feed adapter.")
      #expect(sut.listView.writesOffMainQueue.isEmpty, "The rows were updated on another queue. Decorate the feed loader.")
    }
  }

  @Test("a feed delivered synchronously appears before `viewDidLoad` returns")
  func showsTheFeedSynchronously() {
    let sut = FeedUIComposer.feedComposedWith(
      feedLoader: FeedLoaderSpy(responding: { .success([.cat]) }), imageLoader: FeedImageDataLoaderSpy())

    sut.loadViewIfNeeded()

    #expect(sut.listView.rows == ["A cat"], "The loader completed synchronously, on the main queue. Show the feed without a hop.")
    #expect(sut.refreshControl.history == [true, false], "The load has started and ended, so the indicator should have stopped.")
  }

  @Test("an error is shown on the main queue until the next load")
  func showsTheError() async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(with: .failure(HTTPClientError.signedOut), on: .background)
    await mainQueueDrained()
    #expect(
      sut.errorView.message == "Please sign in.", "The load has failed, so the screen should show the error. Call the presenter.")
    #expect(sut.errorView.writesOffMainQueue.isEmpty, "The error view was updated on another queue. Decorate the feed loader.")
    sut.pullToRefresh()

    #expect(sut.errorView.message == nil, "The next load has started, so the error should be hidden. Call the presenter.")
  }

  @Test("pulling to refresh loads a new feed, which replaces the old one")
  func refreshes() async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(0, with: .success([.cat]), on: .background)
    await mainQueueDrained()
    sut.pullToRefresh()
    #expect(feedLoader.calls.count == 2, "The user pulled to refresh, so the delegate should load the feed again.")
    await feedLoader.calls.complete(1, with: .success([.dog]), on: .background)
    await mainQueueDrained()

    #expect(sut.listView.rows == ["A dog"], "The second feed should replace the first one on the screen. Check the feed adapter.")
    #expect(
      sut.refreshControl.history == [true, false, true, false],
      "The indicator should run once for each of the two loads. Tell the presenter when a load starts and when it ends.")
  }

  @Test("a new feed that equals the last one replaces the rows")
  func replacesEqualRows() async {
    let (sut, feedLoader, imageLoader) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(0, with: .success([.cat]), on: .background)
    await mainQueueDrained()
    sut.rowWillAppear(0)
    sut.pullToRefresh()
    await feedLoader.calls.complete(1, with: .success([.cat]), on: .background)
    await mainQueueDrained()

    #expect(
      imageLoader.canceledURLs == [FeedImage.cat.url],
      "A second feed arrived, equal to the first one. The old row should be released, and its image load canceled.")
  }

  @Test("a row loads its image and shows it on the main queue")
  func loadsImages() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat, .dog])
    #expect(imageLoader.calls.count == 0, "No row has appeared yet, so no image should be loaded.")

    let row = try #require(sut.rowWillAppear(1), "The feed has two images, so there should be a second row.")
    #expect(
      imageLoader.calls.arguments == [FeedImage.dog.url], "Only the second row has appeared, so only its image should be loaded.")
    await imageLoader.calls.complete(with: .success(Data("dog".utf8)), on: .background)
    await mainQueueDrained()

    #expect(row.data == Data("dog".utf8), "The image was loaded and its row is visible, so the row should show it.")
    #expect(row.writesOffMainQueue.isEmpty, "The image was updated on another queue. Decorate the image loader.")
  }

  @Test("an image on the main queue is shown synchronously")
  func showsImagesSynchronously() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat])

    let row = try #require(sut.rowWillAppear(0), "The feed has an image, so there should be a row.")
    imageLoader.calls.complete(with: .success(Data("cat".utf8)))

    #expect(row.data == Data("cat".utf8), "The image arrived on the main queue. Show it without a hop.")
  }

  @Test("a row that disappears cancels its own load and no other")
  func cancelsImages() async {
    let (sut, imageLoader) = await makeSUT(showing: [.cat, .dog])

    sut.rowWillAppear(0)
    sut.rowWillAppear(1)
    sut.rowDidDisappear(0)

    #expect(
      imageLoader.canceledURLs == [FeedImage.cat.url],
      "The first row disappeared. Only its cancellation should reach the image loader.")
  }

  @Test("an image is not shown if its row disappears before the hop")
  func cancelsDuringTheHop() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat])

    let row = try #require(sut.rowWillAppear(0), "The feed has an image, so there should be a row.")
    // This test stays on the main queue: when the call returns, the image has been dispatched, but not delivered.
    _ = returnsWithoutMainQueue { imageLoader.calls.complete(with: .success(Data("cat".utf8))) }
    sut.rowDidDisappear(0)
    await mainQueueDrained()

    #expect(row.data == nil, "The row disappeared before the image reached the main queue. Check the decorator's `cancel()`.")
  }

  @Test("the screen is released when the user leaves it")
  func releasesTheScreen() async {
    await each("visit", in: Visit.allCases) { visit in
      let (feedLoader, imageLoader) = (FeedLoaderSpy(), FeedImageDataLoaderSpy())

      await expectReleased(
        "The user has left, but something still retains the screen. Follow the arrows in step 4's diagram from the controller."
      ) { leaks in
        let sut = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader))
        sut.loadViewIfNeeded()
        switch visit {
        case .endsBeforeTheFeed: break
        case .endsAfterTheFeed: feedLoader.calls.complete(with: .success([.cat]))
        case .endsAfterAHop: await feedLoader.calls.complete(with: .success([.cat]), on: .background)
        case .endsAfterAnError: feedLoader.calls.complete(with: .failure(HTTPClientError.signedOut))
        case .endsDuringARefresh:
          feedLoader.calls.complete(with: .success([.cat]))
          sut.pullToRefresh()
        case .endsBeforeTheImage, .endsAfterTheImage, .endsAfterACancel:
          feedLoader.calls.complete(with: .success([.cat]))
          sut.rowWillAppear(0)
          if visit == .endsAfterTheImage { imageLoader.calls.complete(with: .success(Data("cat".utf8))) }
          if visit == .endsAfterACancel { sut.rowDidDisappear(0) }
        }
        await mainQueueDrained()
        withExtendedLifetime(sut) {}
      }
      #expect(feedLoader.calls.count > 0, "The view was loaded, so the delegate should load the feed.")
    }
  }

  @Test("all parts of the screen are released with it")
  func releasesEverything() async {
    await each("ending", in: [LoadEnding.value, .failure(.notHTTP)]) { ending in
      await expectReleased(
        "The user has left, but something still retains a part of the screen. Follow the arrows in step 4's diagram."
      ) { leaks in
        let feedLoader = leaks.track(ForgettingLoader())
        let imageLoader = leaks.track(ForgettingLoader())
        let sut = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader))

        sut.loadViewIfNeeded()
        await finished(on: .background) { feedLoader.complete(ending) }
        await mainQueueDrained()
        let row = sut.rowWillAppear(0)
        #expect(
          (row != nil) == (ending == .value),
          "The load ended with \(ending). Show a row for a feed with an image, and no row for an error.")
        await finished(on: .background) { imageLoader.complete(.value) }
        await mainQueueDrained()
        withExtendedLifetime(sut) {}
      }
    }
  }

  @Test("a feed that arrives after the user has left loads no images")
  func survivesALateFeed() async {
    let (feedLoader, imageLoader) = (FeedLoaderSpy(), FeedImageDataLoaderSpy())

    FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader).loadViewIfNeeded()
    #expect(feedLoader.calls.count == 1, "The view was loaded, so the delegate should load the feed.")
    await feedLoader.calls.complete(with: .success([.cat]), on: .background)
    await mainQueueDrained()

    #expect(imageLoader.calls.count == 0, "The screen was released before the feed arrived, so no image should be loaded.")
  }

  @Test("leaving the screen cancels the image loads in flight")
  func cancelsWhenLeft() async {
    let imageLoader = FeedImageDataLoaderSpy()

    await expectReleased(
      "The user has left, but something still retains the screen while an image loads. Follow the arrows in step 4's diagram."
    ) { leaks in
      let sut = leaks.track(
        FeedUIComposer.feedComposedWith(
          feedLoader: FeedLoaderSpy(responding: { .success([.cat, .dog]) }), imageLoader: imageLoader))
      sut.loadViewIfNeeded()
      sut.rowWillAppear(1)
    }

    #expect(
      imageLoader.canceledURLs == [FeedImage.dog.url],
      "A released row cancels its load. Either something retains the row, or its cancellation does not reach the image loader."
    )
    await imageLoader.calls.complete(with: .success(Data()), on: .background)
    await mainQueueDrained()
  }

  @Test("two screens share nothing")
  func composesTwice() async {
    let (first, firstLoader, _) = makeSUT()
    let (second, secondLoader, _) = makeSUT()

    first.loadViewIfNeeded()
    second.loadViewIfNeeded()
    await secondLoader.calls.complete(with: .success([.dog]), on: .background)
    await firstLoader.calls.complete(with: .success([.cat]), on: .background)
    await mainQueueDrained()

    #expect(first.listView.rows == ["A cat"], "The first screen should show its own feed. Make new parts for each screen.")
    #expect(second.listView.rows == ["A dog"], "The second screen should show its own feed. Make new parts for each screen.")
  }

  enum Visit: CaseIterable {
    case endsBeforeTheFeed
    case endsAfterTheFeed
    case endsAfterAHop
    case endsAfterAnError
    case endsDuringARefresh
    case endsBeforeTheImage
    case endsAfterTheImage
    case endsAfterACancel
  }

  private func makeSUT() -> (FeedViewController, FeedLoaderSpy, FeedImageDataLoaderSpy) {
    let (feedLoader, imageLoader) = (FeedLoaderSpy(), FeedImageDataLoaderSpy())
    return (FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader), feedLoader, imageLoader)
  }

  /// Makes a screen that shows a feed.
  private func makeSUT(
    showing feed: [FeedImage], sourceLocation: SourceLocation = #_sourceLocation
  ) async -> (FeedViewController, FeedImageDataLoaderSpy) {
    let (sut, feedLoader, imageLoader) = makeSUT()
    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(with: .success(feed), on: .background, sourceLocation: sourceLocation)
    await mainQueueDrained()
    return (sut, imageLoader)
  }
}
