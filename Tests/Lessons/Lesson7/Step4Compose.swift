import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 4: compose", .patientOnce)
struct Step4Compose {
  @Test("the feed is asked for when the view has loaded, and not before")
  func loadsWithTheView() {
    let (sut, feedLoader, _) = makeSUT()

    #expect(feedLoader.calls.count == 0, "Nobody wants to see the screen yet.")
    sut.loadViewIfNeeded()

    #expect(feedLoader.calls.count == 1, "The view has loaded and its delegate was asked for the feed: load it, once.")
  }

  @Test("the indicator turns while the feed loads, and stops however that ends", arguments: Outcome.allCases)
  func showsLoading(outcome: Outcome) async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    #expect(sut.refreshControl.history == [true], "The load has begun: the indicator has to turn.")
    await feedLoader.calls.complete(
      with: outcome == .success ? .success([]) : .failure(HTTPClientError.signedOut), on: .global())
    await mainQueueDrained()

    #expect(sut.refreshControl.history == [true, false], "The load has ended: the indicator has to stop.")
    #expect(sut.refreshControl.writesOffMainQueue.isEmpty, "The feed loader answers on any queue: it has to be decorated.")
  }

  @Test("a feed from a background queue is shown on the main queue", arguments: BackgroundQueue.allCases)
  func showsTheFeed(queue: BackgroundQueue) async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(with: .success([.cat, .dog]), on: queue.queue)
    await mainQueueDrained()

    #expect(sut.listView.rows == ["A cat", "A dog"], "Each image of the feed is a row, in the order of the feed.")
    #expect(sut.listView.writesOffMainQueue.isEmpty, "The feed loader answers on any queue: it has to be decorated.")
  }

  @Test("a feed that is there at once fills the screen before `viewDidLoad` returns")
  func showsTheFeedAtOnce() {
    let sut = FeedUIComposer.feedComposedWith(
      feedLoader: ImmediateFeedLoader(feed: [.cat]), imageLoader: FeedImageDataLoaderSpy())

    sut.loadViewIfNeeded()

    #expect(sut.listView.rows == ["A cat"], "The loader answered at once, on the main queue: nobody has a reason to hop.")
    #expect(sut.refreshControl.history == [true, false], "The load has begun and ended by now.")
  }

  @Test("an error from a background queue is shown on the main queue, and goes when the next load begins")
  func showsTheError() async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(with: .failure(HTTPClientError.signedOut), on: .global())
    await mainQueueDrained()
    #expect(sut.errorView.message == "Please sign in.", "The load has failed: the presenter wants to hear of it.")
    #expect(sut.errorView.writesOffMainQueue.isEmpty, "The feed loader fails on any queue: it has to be decorated.")
    sut.pullToRefresh()

    #expect(sut.errorView.message == nil, "The next load has begun: the presenter wants to hear of it.")
  }

  @Test("pulling the list down loads the feed again, and shows it in place of the old one")
  func refreshes() async {
    let (sut, feedLoader, _) = makeSUT()

    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(0, with: .success([.cat]), on: .global())
    await mainQueueDrained()
    sut.pullToRefresh()
    #expect(feedLoader.calls.count == 2, "The user pulled the list down: load once more.")
    await feedLoader.calls.complete(1, with: .success([.dog]), on: .global())
    await mainQueueDrained()

    #expect(sut.listView.rows == ["A dog"], "The second feed is shown in place of the first.")
    #expect(sut.refreshControl.history == [true, false, true, false], "Each load has a beginning and an end.")
  }

  @Test("a row loads its picture when it appears, and shows it on the main queue")
  func loadsPictures() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat, .dog])
    #expect(imageLoader.calls.count == 0, "No row is on screen yet: there is no picture to load.")

    let row = try #require(sut.rowWillAppear(1), "The feed has two images: there has to be a second row.")
    #expect(imageLoader.calls.arguments == [FeedImage.dog.url], "The second row appears: load its picture, and no other.")
    await imageLoader.calls.complete(with: .success(Data("dog".utf8)), on: .global())
    await mainQueueDrained()

    #expect(row.data == Data("dog".utf8), "The picture has come and its row is on screen.")
    #expect(row.writesOffMainQueue.isEmpty, "The image loader answers on any queue: it has to be decorated.")
  }

  @Test("a picture that is there at once is shown before the row has appeared")
  func showsPicturesAtOnce() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat])

    let row = try #require(sut.rowWillAppear(0), "The feed has an image: there has to be a row.")
    imageLoader.calls.complete(with: .success(Data("cat".utf8)))

    #expect(row.data == Data("cat".utf8), "The picture came on the main queue: nobody has a reason to hop.")
  }

  @Test("a row that goes off screen cancels its load, and only its own")
  func cancelsPictures() async {
    let (sut, imageLoader) = await makeSUT(showing: [.cat, .dog])

    sut.rowWillAppear(0)
    sut.rowWillAppear(1)
    sut.rowDidDisappear(0)

    #expect(imageLoader.cancelledURLs == [FeedImage.cat.url], "The first row went off screen: its cancel has to get through.")
  }

  @Test("a picture on its way to the main queue is not shown when its row has gone")
  func cancelsOnTheWay() async throws {
    let (sut, imageLoader) = await makeSUT(showing: [.cat])

    let row = try #require(sut.rowWillAppear(0), "The feed has an image: there has to be a row.")
    // We do not leave the main queue: what wants to hop is on its way when this returns.
    _ = returnsWithoutMainQueue { imageLoader.calls.complete(with: .success(Data("cat".utf8))) }
    sut.rowDidDisappear(0)
    await mainQueueDrained()

    #expect(row.data == nil, "The row had gone when the picture reached the main queue: it must not be shown any more.")
  }

  @Test("nothing of the screen is left when the user has gone")
  func releasesEverything() async {
    await expectReleased("The screen has gone, and a part of it is still there. Who keeps it? Follow the arrows.") { leaks in
      let feedLoader = leaks.track(ImmediateFeedLoader(feed: [.cat]))
      let imageLoader = leaks.track(SilentImageLoader())
      let sut = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader))

      sut.loadViewIfNeeded()
      #expect(sut.rowWillAppear(0) != nil, "The feed has an image: there has to be a row.")
    }
  }

  @Test("a screen that the user leaves while the feed loads is not kept for it, and a late feed does no harm")
  func survivesALateFeed() async {
    let (feedLoader, imageLoader) = (FeedLoaderSpy(), FeedImageDataLoaderSpy())

    await expectReleased("The feed is not there yet, and something keeps the screen for it.") { leaks in
      leaks.track(FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader)).loadViewIfNeeded()
    }
    #expect(feedLoader.calls.count == 1, "The view has loaded: load the feed.")
    await feedLoader.calls.complete(with: .success([.cat]), on: .global())
    await mainQueueDrained()

    #expect(imageLoader.calls.count == 0, "There is no screen any more, so nobody wants pictures.")
  }

  @Test("leaving the screen cancels the loads of the rows that were on it")
  func cancelsWhenLeft() async {
    let imageLoader = FeedImageDataLoaderSpy()

    await expectReleased("A picture is not there yet, and something keeps the screen for it.") { leaks in
      let sut = leaks.track(
        FeedUIComposer.feedComposedWith(feedLoader: ImmediateFeedLoader(feed: [.cat, .dog]), imageLoader: imageLoader))
      sut.loadViewIfNeeded()
      sut.rowWillAppear(1)
    }

    #expect(
      imageLoader.cancelledURLs == [FeedImage.dog.url],
      "The rows go with the screen, and each cancels its load when it goes. Is the row still kept, or does the cancel not get through?"
    )
    await imageLoader.calls.complete(with: .success(Data()), on: .global())
    await mainQueueDrained()
  }

  @Test("two screens have nothing in common")
  func composesTwice() async {
    let (first, firstLoader, _) = makeSUT()
    let (second, secondLoader, _) = makeSUT()

    first.loadViewIfNeeded()
    second.loadViewIfNeeded()
    await secondLoader.calls.complete(with: .success([.dog]), on: .global())
    await firstLoader.calls.complete(with: .success([.cat]), on: .global())
    await mainQueueDrained()

    #expect(first.listView.rows == ["A cat"], "Each screen shows the feed of its own loader.")
    #expect(second.listView.rows == ["A dog"], "Each screen shows the feed of its own loader.")
  }

  private func makeSUT() -> (FeedViewController, FeedLoaderSpy, FeedImageDataLoaderSpy) {
    let (feedLoader, imageLoader) = (FeedLoaderSpy(), FeedImageDataLoaderSpy())
    return (FeedUIComposer.feedComposedWith(feedLoader: feedLoader, imageLoader: imageLoader), feedLoader, imageLoader)
  }

  /// A screen whose feed has come.
  private func makeSUT(
    showing feed: [FeedImage], sourceLocation: SourceLocation = #_sourceLocation
  ) async -> (FeedViewController, FeedImageDataLoaderSpy) {
    let (sut, feedLoader, imageLoader) = makeSUT()
    sut.loadViewIfNeeded()
    await feedLoader.calls.complete(with: .success(feed), on: .global(), sourceLocation: sourceLocation)
    await mainQueueDrained()
    return (sut, imageLoader)
  }
}

/// Answers before `load` returns, as a cache in memory does.
private final class ImmediateFeedLoader: FeedLoader {
  private let feed: [FeedImage]

  init(feed: [FeedImage]) {
    self.feed = feed
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    completion(.success(feed))
  }
}

/// Never answers.
private final class SilentImageLoader: FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    Task(loader: self)
  }

  private struct Task: FeedImageDataLoaderTask {
    let loader: SilentImageLoader

    func cancel() {}
  }
}
