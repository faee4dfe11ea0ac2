import Given
import TestSupport
import Testing

@testable import Exercise7

@MainActor
@Suite("Step 2: many protocols", .patientOnce)
struct Step2ManyProtocols {
  @Test("what comes from a background queue arrives on the main queue, once", arguments: Loading.others, Outcome.allCases)
  func hops(loading: Loading, outcome: Outcome) async throws {
    let load = loading.begin()

    await finished(on: .global()) { load.answer(outcome) }
    await mainQueueDrained()

    try load.expectOneArrival(outcome)
  }

  @Test("unchanged: what comes on the main queue arrives at once", arguments: Loading.others, Outcome.allCases)
  func deliversAtOnce(loading: Loading, outcome: Outcome) async throws {
    let load = loading.begin()

    load.answer(outcome)

    #expect(
      !load.arrivals.isEmpty,
      "We are on the main queue already: call the completion at once, without a hop, even if nobody keeps the decorator.")
    await mainQueueDrained()
    try load.expectOneArrival(outcome)
  }

  @Test("unchanged: the call reaches the decoratee at once, and once", arguments: Loading.others)
  func forwardsTheCall(loading: Loading) {
    let load = loading.begin()

    #expect(load.calls() == 1, "The decorator asks its decoratee on the spot, once. Only the answer may have to hop.")
  }

  @Test("what comes from a background queue arrives in the order in which it was given", arguments: Loading.others)
  func keepsTheOrder(loading: Loading) async {
    await loading.expectOrder()
  }

  @Test("the second screen writes at once as well, on whatever queue it is answered")
  func userScreenDoesNotDispatch() async {
    let loader = UserLoaderSpy()
    let sut = UserViewController(loader: loader)

    sut.loadViewIfNeeded()
    await loader.calls.complete(with: "user data loaded", on: .global())
    await mainQueueDrained()

    #expect(
      sut.label.writesOffMainQueue == [#"Label.text = "user data loaded""#],
      "This loader is not decorated and answered on a background queue. Whoever writes elsewhere than there still dispatches.")
    #expect(sut.label.texts == ["loading", "user data loaded"], "The data has to reach the screen, once.")
  }

  @Test("unchanged: the second screen is not kept for a slow answer either")
  func letsGoOfTheScreen() async {
    let loader = UserLoaderSpy()

    await expectReleased("The answer is not there yet, and something keeps the screen for it: capture it weakly.") { leaks in
      let loader = MainQueueDispatchDecorator<any UserLoader>(decoratee: loader)
      leaks.track(UserViewController(loader: loader)).loadViewIfNeeded()
    }

    // The answer comes all the same, and must do no harm.
    await loader.calls.complete(with: "user data loaded", on: .global())
    await mainQueueDrained()
  }

  @Test("unchanged: the picture is asked for by its URL")
  func forwardsTheURL() {
    let (sut, loader) = makeImageLoader()

    _ = sut.loadImageData(from: FeedImage.cat.url) { _ in }
    _ = sut.loadImageData(from: FeedImage.dog.url) { _ in }

    #expect(
      loader.calls.arguments == [FeedImage.cat.url, FeedImage.dog.url], "The URL belongs to the call: forward it as it is.")
  }

  @Test("unchanged: a cancel reaches the decoratee's task")
  func forwardsTheCancel() {
    let (sut, loader) = makeImageLoader()

    let cat = sut.loadImageData(from: FeedImage.cat.url) { _ in }
    let dog = sut.loadImageData(from: FeedImage.dog.url) { _ in }
    #expect(loader.cancelledURLs.isEmpty, "Nobody has cancelled anything yet.")
    dog.cancel()

    #expect(
      loader.cancelledURLs == [FeedImage.dog.url],
      "The task that comes back has to pass the cancel on to the decoratee's own task, and to no other.")
    cat.cancel()
    #expect(loader.cancelledURLs == [FeedImage.dog.url, FeedImage.cat.url], "Each load has a task of its own.")
  }

  @Test("after a cancel nothing is delivered, even if the answer was on its way to the main queue")
  func cancelStopsTheHop() async {
    let (sut, loader) = makeImageLoader()
    let arrivals = Inbox<URL>()
    var cat: (any FeedImageDataLoaderTask)? = sut.loadImageData(from: FeedImage.cat.url) { _ in
      arrivals.receive(FeedImage.cat.url)
    }
    let dog = sut.loadImageData(from: FeedImage.dog.url) { _ in arrivals.receive(FeedImage.dog.url) }

    // We do not leave the main queue: what wants to hop is on its way when this returns.
    let hasReturned = returnsWithoutMainQueue {
      for index in 0...1 { loader.calls.complete(index, with: .success(Data("picture".utf8))) }
    }
    // A row that goes off screen does both.
    cat?.cancel()
    cat = nil
    await mainQueueDrained()

    #expect(hasReturned, "The loader is held up until the main queue has time: hand the answer over with `async`, and go on.")
    #expect(
      !arrivals.values.contains(FeedImage.cat.url),
      "The picture had left its queue and not yet reached the main one when the row cancelled. It must not be delivered any more."
    )
    #expect(arrivals.values.contains(FeedImage.dog.url), "Only one of two loads was cancelled: the other wants its answer.")
    #expect(loader.cancelledURLs == [FeedImage.cat.url], "The cancel has to reach the decoratee, and only for this load.")
    withExtendedLifetime(dog) {}
  }

  @Test("after a cancel nothing is delivered, if the answer comes on the main queue either")
  func cancelStopsLateAnswers() async {
    let (sut, loader) = makeImageLoader()
    let arrivals = Inbox<URL>()
    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(FeedImage.cat.url) }

    task.cancel()
    loader.calls.complete(with: .success(Data("picture".utf8)))
    await mainQueueDrained()

    #expect(
      arrivals.values.isEmpty, "The row has cancelled, and the loader answers all the same. Nobody wants that picture any more.")
  }

  @Test("after a cancel nothing is delivered, even if the decoratee answers it with an error on the spot")
  func cancelIsNoError() async {
    let arrivals = Inbox<Bool>()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: ComplainingImageLoader())
    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(MainQueue.isCurrent) }

    task.cancel()
    await mainQueueDrained()

    #expect(
      arrivals.values.isEmpty,
      "The decoratee answers a cancel with an error before it returns: by then you have to know that nobody wants to hear of it.")
  }

  @Test("a picture that was cancelled once can be loaded again")
  func loadsAgain() async {
    let (sut, loader) = makeImageLoader()
    let arrivals = Inbox<Int>()

    sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(1) }.cancel()
    let again = sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(2) }
    for index in 0...1 { await loader.calls.complete(index, with: .success(Data("picture".utf8)), on: .global()) }
    await mainQueueDrained()

    #expect(
      arrivals.values == [2],
      "The row came back and loads its picture again: the cancel was about the first load, not about its URL.")
    withExtendedLifetime(again) {}
  }

  @Test("a cancel after the answer does no harm, nor does a second one")
  func cancelsLate() async {
    let (sut, loader) = makeImageLoader()
    let arrivals = Inbox<Bool>()
    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(MainQueue.isCurrent) }

    await loader.calls.complete(with: .success(Data("picture".utf8)), on: .global())
    await mainQueueDrained()
    task.cancel()
    task.cancel()
    await mainQueueDrained()

    #expect(arrivals.values == [true], "The picture was delivered before the cancel: it arrives once, on the main queue.")
  }

  @Test("a picture arrives though nobody keeps its task", arguments: BackgroundQueue.allCases)
  func deliversWithoutTask(queue: BackgroundQueue) async throws {
    let load = Loading.imageData.begin()

    await mainQueueDrained()
    await finished(on: queue.queue) { load.answer(.success) }
    await mainQueueDrained()

    try load.expectOneArrival(.success)
  }

  @Test("unchanged: a picture that is there before the task is arrives as well")
  func deliversBeforeTheTask() {
    let arrivals = Inbox<Bool>()
    let sut = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: ImmediateImageLoader())

    let task = sut.loadImageData(from: FeedImage.cat.url) { _ in arrivals.receive(MainQueue.isCurrent) }

    #expect(arrivals.values == [true], "A cache answers before it returns its task: deliver at once.")
    task.cancel()
  }

  @Test("unchanged: a load that has ended leaves nothing behind")
  func leavesNothingBehind() async {
    await expectReleased("The load is over, and the decorator or its task still keeps the decoratee.") { leaks in
      let loader = leaks.track(ImmediateImageLoader())
      _ = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader).loadImageData(from: FeedImage.cat.url) { _ in }
    }
  }

  private func makeImageLoader() -> (any FeedImageDataLoader, FeedImageDataLoaderSpy) {
    let loader = FeedImageDataLoaderSpy()
    return (MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loader), loader)
  }
}

/// Answers before it returns its task, as a cache in memory does.
private final class ImmediateImageLoader: FeedImageDataLoader {
  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    completion(.success(Data()))
    return Task(loader: self)
  }

  private struct Task: FeedImageDataLoaderTask {
    let loader: ImmediateImageLoader

    func cancel() {}
  }
}

/// Answers a cancel with an error, before the cancel returns.
private final class ComplainingImageLoader: FeedImageDataLoader {
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
