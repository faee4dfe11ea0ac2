import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 2: many protocols, images", .oneAtATime)
struct Step2Images {
  @Test("an image from a background queue arrives once, on the main queue")
  func dispatchesResults() async throws {
    try await each("ending", in: LoadEnding.all, "queue", in: BackgroundQueue.allCases) { ending, queue in
      let load = Loading.imageData.begin()

      await mainQueueDrained()
      await finished(on: queue.queue) { load.complete(ending) }
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
    }
  }

  @Test("images from a background queue arrive in order")
  func preservesTheOrder() async {
    await Loading.imageData.expectOrder()
  }

  @Test("unchanged: an image on the main queue is delivered synchronously")
  func deliversSynchronously() async throws {
    try await each("ending", in: LoadEnding.all) { ending in
      let load = Loading.imageData.begin()

      load.complete(ending)
      let isSynchronous = !load.deliveries.isEmpty
      await mainQueueDrained()

      try load.expectOneDelivery(ending)
      #expect(
        isSynchronous,
        "The result arrived on the main queue, so it should be delivered synchronously, without a hop. Check the queue, not the thread."
      )
    }
  }

  @Test("unchanged: the decorator calls the image loader synchronously, with the URL")
  func forwardsTheCall() {
    let loader = FeedImageDataLoaderSpy()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)

    _ = sut.loadImageData(from: FeedImage.cat.url) { _ in }
    _ = sut.loadImageData(from: FeedImage.dog.url) { _ in }

    #expect(
      loader.calls.arguments == [FeedImage.cat.url, FeedImage.dog.url],
      "The decorator should call its decoratee once for each load, with the URL unchanged, before its own method returns.")
  }

  @Test("unchanged: an image delivered before the task is returned still arrives")
  func deliversBeforeTheTask() {
    let deliveries = Inbox<Bool>()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(
      decoratee: FeedImageDataLoaderSpy(responding: { _ in .success(Data()) }))

    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(MainQueue.isCurrent) }

    #expect(
      deliveries.values == [true],
      "A cache calls the completion before it returns its task. The result should be delivered synchronously.")
    task.cancel()
  }

  @Test("unchanged: releasing the task does not cancel the load")
  func loadsWithoutTheTask() async {
    let loader = FeedImageDataLoaderSpy()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)
    let deliveries = Inbox<URL>()

    _ = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(FeedImage.cat.url) }
    var dog: (any FeedImageDataLoaderTask)? = sut.loadImageData(from: FeedImage.dog.url) { _ in
      deliveries.receive(FeedImage.dog.url)
    }
    await mainQueueDrained()
    #expect(
      loader.canceledURLs.isEmpty, "The caller has released its task, but not canceled it. Cancel the load only in `cancel()`.")
    for index in 0...1 { await loader.calls.complete(index, with: .success(Data("image".utf8)), on: .background) }
    await mainQueueDrained()
    withExtendedLifetime(dog) {}
    dog = nil

    #expect(
      deliveries.values == [FeedImage.cat.url, FeedImage.dog.url],
      "Both results should be delivered, even though the caller has released the first task. Check what retains each completion.")
    #expect(
      loader.canceledURLs.isEmpty, "The caller has released its tasks, but not canceled them. Cancel a load only in `cancel()`.")
  }

  @Test("unchanged: after a load, nothing retains the decorator, decoratee or completion")
  func releasesTheLoad() async {
    await each("ending", in: Loading.Ending.results) { ending in
      await Loading.imageData.expectReleased(after: ending)
    }
  }
}
