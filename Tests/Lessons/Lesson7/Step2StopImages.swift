import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 2: many protocols, canceling", .oneAtATime)
struct Step2StopImages {
  @Test("unchanged: canceling a load cancels only that load's task in the decoratee")
  func forwardsTheCancel() {
    let (sut, loader) = makeSUT()

    let cat = sut.loadImageData(from: FeedImage.cat.url) { _ in }
    let dog = sut.loadImageData(from: FeedImage.dog.url) { _ in }
    #expect(loader.canceledURLs.isEmpty, "The decoratee's task was canceled too early. Cancel it only in `cancel()`.")
    dog.cancel()

    #expect(
      loader.canceledURLs == [FeedImage.dog.url], "The second load was canceled. Cancel the decoratee's task for it.")
    cat.cancel()
    #expect(
      loader.canceledURLs == [FeedImage.dog.url, FeedImage.cat.url],
      "Both loads were canceled. Forward each cancellation to the decoratee's task for the same load.")
  }

  @Test("a background result is not delivered if canceled before its hop")
  func cancelsDuringTheHop() async {
    let (sut, loader) = makeSUT()
    let deliveries = Inbox<URL>()
    var cats = (0...1).map { _ in
      sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(FeedImage.cat.url) } as (any FeedImageDataLoaderTask)?
    }
    let dog = sut.loadImageData(from: FeedImage.dog.url) { _ in deliveries.receive(FeedImage.dog.url) }

    // This test stays on the main queue: when the call returns, every result has been dispatched, and none delivered.
    let hasReturned = returnsWithoutMainQueue {
      loader.calls.complete(0, with: .success(Data("image".utf8)))
      loader.calls.complete(1, with: .failure(URLError(.timedOut)))
      loader.calls.complete(2, with: .success(Data("image".utf8)))
    }
    // A row that leaves the screen cancels its task and releases it.
    for index in cats.indices {
      cats[index]?.cancel()
      cats[index] = nil
    }
    await mainQueueDrained()

    #expect(hasReturned, "The loader's queue is blocked until the main queue is free. Dispatch the result with `async`.")
    #expect(
      !deliveries.values.contains(FeedImage.cat.url),
      """
      The load was canceled, and its task released, between the arrival of the result and its hop. Such a load should deliver \
      nothing. Check for a cancellation after the hop, in a place that lives longer than the task.
      """)
    #expect(
      deliveries.values.contains(FeedImage.dog.url),
      "The other load was not canceled, so its result should be delivered. A cancellation should stop only its own load.")
    #expect(
      loader.canceledURLs == [FeedImage.cat.url, FeedImage.cat.url],
      "Two loads were canceled. Forward each cancellation to the decoratee's task for that load.")
    withExtendedLifetime(dog) {}
  }

  @Test("a result on the main queue is not delivered after a cancellation")
  func cancelsBeforeALateResult() async {
    await each("ending", in: [LoadEnding.value, .failure(.notHTTP)]) { ending in
      let (sut, loader) = makeSUT()
      let deliveries = Inbox<URL>()
      let task = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(FeedImage.cat.url) }

      task.cancel()
      loader.calls.complete(with: ending.imageData)
      await mainQueueDrained()

      #expect(
        deliveries.values.isEmpty,
        "The load was canceled, but the decoratee completed it anyway. Before each delivery, check whether it was canceled.")
    }
  }

  @Test("a result from a background queue is not delivered after a cancellation")
  func cancelsBeforeALateHop() async {
    await each("ending", in: [LoadEnding.value, .failure(.notHTTP)]) { ending in
      let (sut, loader) = makeSUT()
      let deliveries = Inbox<URL>()
      let task = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(FeedImage.cat.url) }

      task.cancel()
      await loader.calls.complete(with: ending.imageData, on: .background)
      await mainQueueDrained()

      #expect(
        deliveries.values.isEmpty,
        "The load was canceled, but the decoratee completed it anyway. Before each delivery, check whether it was canceled.")
    }
  }

  @Test("an error that the decoratee delivers during `cancel()` is dropped")
  func dropsTheErrorOfACancel() async {
    let deliveries = Inbox<Bool>()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: ComplainingImageLoader())
    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(MainQueue.isCurrent) }

    task.cancel()
    await mainQueueDrained()

    #expect(
      deliveries.values.isEmpty,
      "The decoratee's `cancel()` delivered an error before it returned. Mark the load as canceled before you call it.")
  }

  @Test("a canceled load does not affect other loads of the same URL")
  func loadsAgain() async {
    let (sut, loader) = makeSUT()
    let deliveries = Inbox<Int>()

    sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(0) }.cancel()
    let tasks = (1...3).map { number in
      sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(number) }
    }
    tasks[1].cancel()
    for index in 0...3 { await loader.calls.complete(index, with: .success(Data("image".utf8)), on: .background) }
    await mainQueueDrained()

    #expect(
      deliveries.values == [1, 3],
      "The first and the third of four loads of one URL were canceled. Record the cancellation for the load, not for its URL.")
    withExtendedLifetime(tasks) {}
  }

  @Test("canceling twice after the result does no harm")
  func cancelsTooLate() async {
    let (sut, loader) = makeSUT()
    let deliveries = Inbox<Bool>()
    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in deliveries.receive(MainQueue.isCurrent) }

    await loader.calls.complete(with: .success(Data("image".utf8)), on: .background)
    await mainQueueDrained()
    task.cancel()
    task.cancel()
    await mainQueueDrained()

    #expect(
      deliveries.values == [true], "The image was delivered before the cancellation. It should arrive once, on the main queue.")
  }

  @Test("unchanged: after a cancellation, nothing retains the decorator, loader or completion")
  func releasesTheLoad() async {
    await Loading.imageData.expectReleased(after: .cancel)
  }

  @Test("unchanged: nothing retains the decoratee's task after the load")
  func releasesTheTask() async {
    await each("ending", in: TaskEnding.allCases) { ending in
      await expectReleased(
        "The load has ended, but something still retains the decoratee's task. Does the completion retain your own task?"
      ) { leaks in
        let loader = StoringImageLoader(leaks)
        let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader)
        let task = sut.loadImageData(from: FeedImage.cat.url) { _ in }
        switch ending {
        case .resultOnTheMainQueue: loader.task?.completion(.success(Data()))
        case .resultOnABackgroundQueue:
          let task = loader.task
          await finished(on: .background) { task?.completion(.success(Data())) }
        case .cancel: task.cancel()
        case .cancelAndResult:
          task.cancel()
          loader.task?.completion(.success(Data()))
        }
        await mainQueueDrained()
        withExtendedLifetime(task) {}
      }
    }
  }

  enum TaskEnding: CaseIterable {
    case resultOnTheMainQueue
    case resultOnABackgroundQueue
    case cancel
    case cancelAndResult
  }

  private func makeSUT() -> (any FeedImageDataLoader, FeedImageDataLoaderSpy) {
    let loader = FeedImageDataLoaderSpy()
    return (MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader), loader)
  }
}

/// An image loader that completes with an error during `cancel()`.
private struct ComplainingImageLoader: FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    Task(completion: completion)
  }

  private struct Task: FeedImageDataLoaderTask {
    let completion: (Result<Data, any Error>) -> Void

    func cancel() {
      completion(.failure(URLError(.cancelled)))
    }
  }
}

/// An image loader whose tasks store their completion for as long as they live.
private final class StoringImageLoader: FeedImageDataLoader {
  final class Task: FeedImageDataLoaderTask {
    let completion: (Result<Data, any Error>) -> Void

    init(completion: @escaping (Result<Data, any Error>) -> Void) {
      self.completion = completion
    }

    func cancel() {}
  }

  /// The task of the last load.
  private(set) weak var task: Task?

  private let leaks: LeakTracker

  init(_ leaks: LeakTracker) {
    self.leaks = leaks
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    let task = leaks.track(Task(completion: completion))
    self.task = task
    return task
  }
}
