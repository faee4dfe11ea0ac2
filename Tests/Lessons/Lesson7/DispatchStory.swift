import Given
import TestSupport

@testable import Exercise7

/// A story about an app that loads by decorators, and services that deliver on any queue.
final class DispatchStory: Story {
  enum Event: Sendable {
    case load(Loading, URL, onMainQueue: Bool, arrival: Arrival, reaction: Reaction, onCancel: StoryLoads.AfterCancel)
    case end(Int, all: Bool, LoadEnding, Place, then: Sequel)
    case cancel(Int, twice: Bool, thenReleased: Bool)
    case releaseTask(Int)
    case releaseDecorators
  }

  /// When a load ends.
  enum Arrival: Sendable {
    case later
    case beforeTheCallReturns(LoadEnding, onAnotherQueue: Bool, thenCanceled: Bool)
  }

  /// What the app does in a completion.
  enum Reaction: Sendable {
    case nothing, loadsAgain, loadsAgainFromACache, cancelsAllImages
  }

  /// Where a service calls a completion.
  enum Place: CaseIterable, Sendable {
    case mainQueue, backgroundQueue, whileTheMainQueueWaits, whileTheMainQueueWaitsInSync
  }

  /// What else happens in the same block of the main queue.
  enum Sequel: Sendable {
    case nothing
    case cancel(Int)
    case endOnTheMainQueue(Int, LoadEnding)
    /// Another load ends on another queue while the completion of the first one runs.
    case endDuringTheDelivery(Int, LoadEnding)

    static func any(using random: inout SeededRandom) -> Self {
      let position = Int.random(in: 0..<9, using: &random)
      let ending = LoadEnding.any(using: &random)
      return [
        .nothing, .cancel(position), .endOnTheMainQueue(position, ending), .endDuringTheDelivery(position, ending),
      ].randomElement(using: &random)!
    }
  }

  static func event(using random: inout SeededRandom) -> Event {
    let ending = LoadEnding.any(using: &random)
    let position = Int.random(in: 0..<9, using: &random)
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<10:
      let arrivals: [Arrival] = [
        .later, .later, .later,
        .beforeTheCallReturns(
          ending, onAnotherQueue: Bool.random(using: &random), thenCanceled: Bool.random(using: &random)),
      ]
      return .load(
        (Loading.allCases + [.imageData, .imageData]).randomElement(using: &random)!,
        [FeedImage.cat.url, FeedImage.dog.url].randomElement(using: &random)!, onMainQueue: Bool.random(using: &random),
        arrival: arrivals.randomElement(using: &random)!,
        reaction: [.nothing, .nothing, .nothing, .loadsAgain, .loadsAgainFromACache, .cancelsAllImages]
          .randomElement(using: &random)!,
        onCancel: StoryLoads.AfterCancel.allCases.randomElement(using: &random)!)
    case 10..<18:
      return .end(
        position, all: Int.random(in: 0..<3, using: &random) == 0, ending, Place.allCases.randomElement(using: &random)!,
        then: .any(using: &random))
    case 18..<22:
      return .cancel(position, twice: Bool.random(using: &random), thenReleased: Bool.random(using: &random))
    case 22..<24: return .releaseTask(position)
    default: return .releaseDecorators
    }
  }

  var leaks: LeakTracker { loads.leaks }
  private let loads: StoryLoads
  private var profileService: (any ProfileService)?
  private var userLoader: (any UserLoader)?
  private var feedLoader: (any FeedLoader)?
  private var imageLoader: (any FeedImageDataLoader)?
  /// What the app loads in this story. With few kinds, more loads of one decorator overlap.
  private let kinds: [Loading]
  private var model = DispatchModel()
  private let app = Locked(App())

  /// What the app has, and what it has seen.
  private struct App {
    var loads = 0
    var deliveries: [(load: Int, words: String)] = []
    var tasks: [Int: any FeedImageDataLoaderTask] = [:]
    var captures: [Int: () -> AnyObject?] = [:]
    var complaints: [String] = []
    /// What happens while the completion of a load runs.
    var duringDelivery: [Int: () -> Void] = [:]
  }

  /// An object that a completion captures.
  private final class Captured {
    func use() {}
  }

  init(using random: inout SeededRandom) {
    loads = StoryLoads()
    let any = Loading.allCases.shuffled(using: &random)
    kinds = [[.imageData], [.imageData, any[0]], Array(any.prefix(2))].randomElement(using: &random)!
    let services = loads.leaks.track(StoryServices(loads))
    profileService = MainQueueDispatchDecorator<any ProfileService>(decoratee: services)
    userLoader = MainQueueDispatchDecorator<any UserLoader>(decoratee: services)
    feedLoader = MainQueueDispatchDecorator<any FeedLoader>(decoratee: services)
    imageLoader = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: services)
    for decorator in [profileService as AnyObject, userLoader as AnyObject, feedLoader as AnyObject, imageLoader as AnyObject] {
      leaks.track(decorator)
    }
  }

  let setting = ["The app has one decorator for each protocol."]

  func play(_ event: Event) async -> String? {
    guard !loads.isSilent else { return nil }
    let sentence =
      switch event {
      case .load(let any, let url, let onMainQueue, let arrival, let reaction, let afterCancel):
        await load(
          kinds.contains(any) ? any : kinds[0], url, onMainQueue: onMainQueue, arrival: arrival, reaction: reaction,
          onCancel: afterCancel)
      case .end(let position, let all, let ending, let place, let sequel):
        await end(at: position, all: all, with: ending, in: place, then: sequel)
      case .cancel(let position, let twice, let isReleased): await cancel(at: position, twice: twice, thenReleased: isReleased)
      case .releaseTask(let position): releaseTask(at: position)
      case .releaseDecorators: release()
      }
    app.withLock { $0.duringDelivery = [:] }
    return sentence
  }

  var expected: [String] { loads.isSilent ? [] : model.effects }

  var observed: [String] {
    if loads.isSilent { return [] }
    let app = app.withLock { $0 }
    let retained = app.captures.keys.sorted().filter {
      model.isOver($0, isOpen: loads.open.contains($0)) && app.captures[$0]!() != nil
    }
    return loads.begun.enumerated().map { "load \($0.offset + 1) requests \($0.element)" }
      + app.deliveries.map { "load \($0.load + 1) delivers \($0.words)" }
      + model.batches.map { batch in DispatchModel.order(app.deliveries.map { $0.load }.filter(batch.contains)) }
      + loads.canceled.filter { !model.isTooLate($0) }.map { "the cancellation of load \($0 + 1) reaches the image loader" }
      + retained.map { "something still retains the completion of load \($0 + 1)" }
      + app.complaints
  }

  func release() -> String? {
    guard model.hasDecorators else { return nil }
    (profileService, userLoader, feedLoader, imageLoader) = (nil, nil, nil, nil)
    model.hasDecorators = false
    return "The app releases the decorators."
  }

  func nextEnding() -> Event? {
    if !loads.open.isEmpty { return .end(0, all: false, .value, .backgroundQueue, then: .nothing) }
    app.withLock { $0.tasks = [:] }
    return nil
  }
}

// What happens, to the decorators and to the model.
extension DispatchStory {
  private func load(
    _ loading: Loading, _ url: URL, onMainQueue: Bool, arrival: Arrival, reaction: Reaction, onCancel: StoryLoads.AfterCancel
  ) async -> String? {
    guard model.hasDecorators else { return nil }
    // Tasks are canceled on the main queue, so images are loaded there, too.
    let onMainQueue = onMainQueue || loading == .imageData
    let number = model.loads.count
    var sentence = "The app loads \(loading.what(url))"
    if !onMainQueue { sentence += " on a background queue" }
    sentence += " (load \(number + 1))."

    var onArrival: (() -> Void)?
    var isCanceled = false
    if case .beforeTheCallReturns(let ending, let onAnotherQueue, let thenCanceled) = arrival {
      isCanceled = thenCanceled && loading == .imageData
      let place = onAnotherQueue ? " on another queue" : ""
      sentence += " Before the call returns, the load ends with \(ending.inWords(loading))\(place)."
      onArrival = { [self] in
        if onAnotherQueue { waitFor { self.loads.end(number, with: ending) } } else { loads.end(number, with: ending) }
      }
    }
    sentence += reaction.inWords
    if isCanceled { sentence += " In the same block of the main queue, the app then cancels load \(number + 1)." }
    loads.prepare(number, onCancel: onCancel, onArrival: onArrival)
    if case .beforeTheCallReturns(let ending, let onAnotherQueue, _) = arrival {
      let isSynchronous = onMainQueue && !onAnotherQueue
      model.load(loading, url, reaction: reaction, synchronousEnd: isSynchronous ? ending : nil)
      if isCanceled { model.cancel(number) }
      if !isSynchronous { model.end([number], with: ending, onMainQueue: false) }
    } else {
      model.load(loading, url, reaction: reaction)
    }
    await run(on: onMainQueue ? .main : .background, "the call") {
      self.start(loading, url, reaction: reaction)
      if isCanceled { self.cancelTask(number) }
    }
    return sentence
  }

  private func end(
    at position: Int, all: Bool, with ending: LoadEnding, in place: Place, then sequel: Sequel
  ) async -> String? {
    let open = loads.open.filter(model.loads.indices.contains)
    guard !open.isEmpty else { return nil }
    let first = open[position % open.count]
    let loading = model.loads[first].loading
    let numbers = all ? open.filter { model.loads[$0].loading == loading } : [first]
    // On the main queue, a result is delivered before what follows. A hop comes after it.
    if place == .mainQueue { model.end(numbers, with: ending, onMainQueue: true) }
    let (follow, told) = place == .backgroundQueue ? ({}, "") : prepare(sequel, whileEnding: numbers)
    if place != .mainQueue { model.end(numbers, with: ending, onMainQueue: false) }
    let overlap = prepareOverlap(sequel, whileDelivering: numbers)

    let end = { [loads] in
      for number in numbers { loads.end(number, with: ending) }
    }
    switch place {
    case .mainQueue:
      await run(on: .main, "the decorator's completion") {
        end()
        follow()
      }
    case .backgroundQueue: await run(on: .background, "the decorator's completion", end)
    case .whileTheMainQueueWaits:
      await run(on: .main, "the decorator's completion") {
        self.waitFor(end)
        follow()
      }
    case .whileTheMainQueueWaitsInSync:
      await run(on: .main, "the decorator's completion") {
        if Self.hops { DispatchQueue(label: "another queue").sync(execute: end) } else { self.waitFor(end) }
        follow()
      }
    }
    let loadsInWords = numbers.map { "load \($0 + 1)" }.joined(separator: ", then ")
    let results = numbers.count == 1 ? ending.inWords(loading) : ending.inWords
    return "The service ends \(loadsInWords) with \(results), \(place.inWords).\(told)\(overlap)"
  }

  /// Decides what else happens, and lets it happen to the model.
  private func prepare(_ sequel: Sequel, whileEnding numbers: [Int]) -> (follow: () -> Void, told: String) {
    switch sequel {
    case .cancel(let position) where !model.cancelable.isEmpty:
      let number = model.cancelable[position % model.cancelable.count]
      model.cancel(number)
      return ({ [self] in cancelTask(number) }, " In the same block of the main queue, the app then cancels load \(number + 1).")
    case .endOnTheMainQueue(let position, let ending):
      // The results that are waiting for a hop may be delivered first or last. Where that would matter, nothing follows.
      let plain = (loads.open + numbers).filter { model.loads.indices.contains($0) && model.loads[$0].reaction == .nothing }
      guard numbers.allSatisfy(plain.contains) else { break }
      guard let number = pick(position, of: plain.filter({ !numbers.contains($0) }), like: numbers[0]) else { break }
      model.end([number], with: ending, onMainQueue: true)
      let result = ending.inWords(model.loads[number].loading)
      return (
        { [loads] in loads.end(number, with: ending) },
        " In the same block of the main queue, load \(number + 1) then ends with \(result)."
      )
    default: break
    }
    return ({}, "")
  }

  /// Picks a load. Loads of the same decorator are more interesting than those of others.
  private func pick(_ position: Int, of loads: [Int], like first: Int) -> Int? {
    let sameKind = loads.filter { model.loads[$0].loading == model.loads[first].loading }
    let candidates = sameKind.isEmpty ? loads : sameKind
    return candidates.isEmpty ? nil : candidates[position % candidates.count]
  }

  /// Lets another load end while the completion of a load runs, and lets it happen to the model.
  private func prepareOverlap(_ sequel: Sequel, whileDelivering numbers: [Int]) -> String {
    let plain = (loads.open + numbers).filter { model.loads.indices.contains($0) && model.loads[$0].reaction == .nothing }
    guard case .endDuringTheDelivery(let position, let ending) = sequel, numbers.count == 1, let number = numbers.first,
      plain.contains(number), !model.loads[number].isCanceled
    else { return "" }
    guard let other = pick(position, of: plain.filter { $0 != number }, like: number) else { return "" }
    model.end([other], with: ending, onMainQueue: false)
    app.withLock { $0.duringDelivery[number] = { [self] in waitFor { self.loads.end(other, with: ending) } } }
    let result = ending.inWords(model.loads[other].loading)
    return " While the completion of load \(number + 1) runs, load \(other + 1) ends with \(result), on another queue."
  }

  private func cancel(at position: Int, twice: Bool, thenReleased: Bool) async -> String? {
    guard !model.cancelable.isEmpty else { return nil }
    let number = model.cancelable[position % model.cancelable.count]
    model.cancel(number)
    await run(on: .main, "`cancel()`") {
      self.cancelTask(number)
      if twice { self.cancelTask(number) }
    }
    if thenReleased {
      model.loads[number].hasTask = false
      app.withLock { $0.tasks[number] = nil }
    }
    return "The app cancels load \(number + 1)\(twice ? " twice" : "")\(thenReleased ? ", and releases its task" : "")."
  }

  private func releaseTask(at position: Int) -> String? {
    guard !model.cancelable.isEmpty else { return nil }
    let number = model.cancelable[position % model.cancelable.count]
    model.loads[number].hasTask = false
    app.withLock { $0.tasks[number] = nil }
    return "The app releases the task of load \(number + 1) without canceling it."
  }

  /// Starts a load on the current queue.
  private func start(_ loading: Loading, _ url: URL, reaction: Reaction) {
    let captured = Captured()
    let number = app.withLock { app in
      app.captures[app.loads] = { [weak captured] in captured }
      app.loads += 1
      return app.loads - 1
    }
    let deliver: (String) -> Void = { [weak self] words in
      captured.use()
      self?.receive(words, of: number, loading, url, reaction: reaction)
    }
    switch loading {
    case .profile:
      profileService?.getProfile { result in
        deliver(result.inWords { $0.userName == $0.address ? $0.userName : "\($0)" })
      }
    case .userData: userLoader?.fetchUserData { deliver($0.isEmpty ? "an empty value" : $0) }
    case .feed:
      feedLoader?.load { result in
        deliver(result.inWords { $0.isEmpty || $0.dropFirst() == [.dog] ? $0.first?.title ?? "" : "\($0)" })
      }
    case .imageData:
      let task = imageLoader?.loadImageData(from: url) { result in
        deliver(result.inWords { String(decoding: $0, as: UTF8.self) })
      }
      app.withLock { $0.tasks[number] = task }
    }
    if !loads.begun.indices.contains(number) {
      app.withLock { $0.complaints.append("the call for load \(number + 1) returns before the service is called") }
    }
  }

  private func receive(_ words: String, of number: Int, _ loading: Loading, _ url: URL, reaction: Reaction) {
    let isSynchronous = loads.isEndingOnMainQueue(number)
    let place = !MainQueue.isCurrent ? "on another queue" : isSynchronous ? "synchronously" : "after a hop"
    app.withLock { $0.deliveries.append((number, "\(words), \(place)")) }
    app.withLock { $0.duringDelivery.removeValue(forKey: number) }?()
    guard MainQueue.isCurrent else { return }
    switch reaction {
    case .nothing: break
    case .loadsAgain where profileService != nil: start(loading, url, reaction: .nothing)
    case .loadsAgainFromACache where profileService != nil:
      let next = loads.begun.count
      loads.prepare(next, onCancel: .continues) { [weak self] in self?.loads.end(next, with: .value) }
      start(loading, url, reaction: .nothing)
    case .loadsAgain, .loadsAgainFromACache: break
    case .cancelsAllImages:
      for number in app.withLock({ $0.tasks.keys.sorted() }) { cancelTask(number) }
    }
  }

  private func cancelTask(_ number: Int) {
    app.withLock { $0.tasks[number] }?.cancel()
  }

  /// Runs work on a queue, and waits until the main queue has run what the work submitted to it. A hop that delivers something by
  /// mistake belongs to this event, not to the next one.
  private func run(on queue: DispatchQueue, _ name: String, _ work: @escaping () -> Void) async {
    let isBlocked =
      if queue === DispatchQueue.main {
        await !loads.runOnMainQueue(work)
      } else if await returns(on: queue, work) {
        await !loads.runOnMainQueue()
      } else {
        true
      }
    if isBlocked { app.withLock { $0.complaints.append("\(name) has not returned") } }
  }

  /// Runs work on another queue, and lets the current queue wait for it, with a deadline.
  private func waitFor(_ work: @escaping () -> Void) {
    if !loads.returnsOnAnotherQueue(work) {
      app.withLock { $0.complaints.append("the service's queue waits for the main queue") }
    }
  }

  /// Whether the decorator hops without waiting. With another one, a `sync` would never return.
  private static let hops = StoryLoads().returnsOnAnotherQueue {
    for loading in Loading.allCases {
      for ending in LoadEnding.all { loading.begin().complete(ending) }
    }
  }
}

extension Loading {
  fileprivate func what(_ url: URL) -> String {
    switch self {
    case .profile: "a profile"
    case .userData: "user data"
    case .feed: "the feed"
    case .imageData: url.lastPathComponent
    }
  }
}

extension LoadEnding {
  /// The results of several loads.
  fileprivate var inWords: String {
    switch self {
    case .value: "a unique value each"
    case .emptyValue: "an empty value each"
    case .failure(let failure): failure.inWords
    }
  }

  /// The result of one load, in a sentence about this load.
  fileprivate func inWords(_ loading: Loading) -> String {
    switch self {
    case .value: "a unique value"
    case .emptyValue: "an empty value"
    case .failure where loading == .userData: "a unique error text"
    case .failure(let failure): failure.inWords
    }
  }
}

extension DispatchStory.Place {
  fileprivate var inWords: String {
    switch self {
    case .mainQueue: "on the main queue"
    case .backgroundQueue: "on a background queue"
    case .whileTheMainQueueWaits: "on another queue while the main queue is waiting for that queue"
    case .whileTheMainQueueWaitsInSync: "in another queue's block while the main queue is waiting for that block in `sync`"
    }
  }
}

extension DispatchStory.Reaction {
  fileprivate var inWords: String {
    switch self {
    case .nothing: ""
    case .loadsAgain: " The completion starts the same load again."
    case .loadsAgainFromACache: " The completion starts the same load again, and the new load ends before its call returns."
    case .cancelsAllImages: " The completion cancels all image loads."
    }
  }
}

/// What the page promises, as plain values.
struct DispatchModel {
  struct Load {
    let loading: Loading
    let url: URL
    let reaction: DispatchStory.Reaction
    /// Whether the app has a task that it can cancel.
    var hasTask = false
    var isDelivered = false
    var isCanceled = false
    /// Whether the app has called `cancel()` after the delivery.
    var isTooLate = false
  }

  var hasDecorators = true
  var loads: [Load] = []
  /// Loads that one queue ended in this order.
  private(set) var batches: [[Int]] = []
  private var deliveries: [String] = []

  /// Everything that may be observed.
  var effects: [String] {
    loads.enumerated().map { "load \($0.offset + 1) requests \($0.element.loading.what($0.element.url))" }
      + deliveries
      + batches.map { batch in Self.order(batch.filter { loads[$0].isDelivered }) }
      + loads.indices.filter { loads[$0].isCanceled }.map { "the cancellation of load \($0 + 1) reaches the image loader" }
  }

  /// The loads that the app can cancel. A cancellation may be too late.
  var cancelable: [Int] { loads.indices.filter { loads[$0].hasTask } }

  func isTooLate(_ number: Int) -> Bool { loads.indices.contains(number) && loads[number].isTooLate }

  /// Whether nothing may retain the completion of a load.
  func isOver(_ number: Int, isOpen: Bool) -> Bool {
    guard loads.indices.contains(number), !isOpen, !loads[number].hasTask else { return false }
    return loads[number].isDelivered || loads[number].isCanceled
  }

  /// - Parameter synchronousEnd: How the load ends on the main queue before the call returns.
  mutating func load(
    _ loading: Loading, _ url: URL, reaction: DispatchStory.Reaction, synchronousEnd: LoadEnding? = nil
  ) {
    let number = loads.count
    loads.append(Load(loading: loading, url: url, reaction: reaction))
    if let synchronousEnd { end([number], with: synchronousEnd, onMainQueue: true) }
    loads[number].hasTask = loading == .imageData
  }

  mutating func end(_ numbers: [Int], with ending: LoadEnding, onMainQueue: Bool) {
    if numbers.count > 1 { batches.append(numbers) }
    for number in numbers where !loads[number].isCanceled {
      let load = loads[number]
      loads[number].isDelivered = true
      let place = onMainQueue ? "synchronously" : "after a hop"
      deliveries.append("load \(number + 1) delivers \(Self.inWords(ending, number, load.loading)), \(place)")
      react(to: load)
    }
  }

  private mutating func react(to load: Load) {
    switch load.reaction {
    case .nothing: break
    case .loadsAgain where hasDecorators: self.load(load.loading, load.url, reaction: .nothing)
    case .loadsAgainFromACache where hasDecorators:
      self.load(load.loading, load.url, reaction: .nothing, synchronousEnd: .value)
    case .loadsAgain, .loadsAgainFromACache: break
    case .cancelsAllImages: for number in cancelable { cancel(number) }
    }
  }

  mutating func cancel(_ number: Int) {
    if loads[number].isDelivered { loads[number].isTooLate = true } else { loads[number].isCanceled = true }
  }

  static func order(_ numbers: [Int]) -> String {
    "the order of delivery is \(numbers.map { "\($0 + 1)" }.joined(separator: ", "))"
  }

  static func inWords(_ ending: LoadEnding, _ number: Int, _ loading: Loading) -> String {
    switch ending {
    case .value: "the value of load \(number + 1)"
    case .emptyValue: "an empty value"
    case .failure where loading == .userData: "the error text of load \(number + 1)"
    case .failure(let failure): failure.inWords
    }
  }
}
