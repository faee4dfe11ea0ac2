import Given
import TestSupport
import Testing

/// An app that loads with the learner's decorators, and services that deliver on any queue.
final class DispatchWorld: Scenario {
  /// What the app does in a completion.
  enum Reaction: Sendable {
    case nothing, loadsAgain, loadsAgainFromACache
  }

  /// What the app has, and what it has seen.
  private struct App {
    var decorators: Decorators?
    var loads = 0
    var deliveries: [(load: Int, words: String)] = []
    var tasks: [Int: any FeedImageDataLoaderTask] = [:]
    var captures: [Int: () -> AnyObject?] = [:]
    var duringDelivery: [Int: () -> Void] = [:]
  }

  /// An object that a completion captures, as a completion captures its screen.
  private final class Captured {
    func use() {}
  }

  let loads = Loads()
  private let app = Locked(App())
  private var model = DispatchModel()
  /// What the app loads in a random story. With few kinds, more loads of one decorator overlap.
  private let kinds: [Kind]

  /// Creates a world without loads.
  ///
  /// - Parameter kinds: What the app loads in a random story.
  init(loading kinds: [Kind] = Kind.allCases) {
    self.kinds = kinds
    super.init(setting: "Each of the app's four loaders is decorated.")
    loads.leaks = leaks
    let decorators = Decorators(around: leaks.track(Loaders(loads), as: "the decoratee"))
    decorators.track(with: leaks)
    app.withLock { $0.decorators = decorators }
  }

  override var leakMessage: String {
    "All loads have ended, but something is still retained. What do your closures capture, and what do your objects store?"
  }

  override var predicted: [String]? { model.effects }

  override func observed() async -> [String] {
    let (app, open) = (app.withLock { $0 }, loads.open)
    let delivered = app.deliveries.map { $0.load }
    let retained = app.captures.keys.sorted().filter { load in
      !open.contains(load) && app.tasks[load] == nil && (loads.canceled.contains(load) || delivered.contains(load))
        && app.captures[load]?() != nil
    }
    return loads.observed
      + app.deliveries.map { "load \($0.load + 1) delivers \($0.words)" }
      + model.batches.map { batch in Self.order(delivered.filter(batch.contains)) }
      + loads.canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + retained.map {
        "the completion of load \($0 + 1) is still retained, by a closure that captures it or by an object that stores it or its task"
      }
      + loads.notes.values
  }

  /// The indexes of the loads whose results have been delivered, in this order.
  var delivered: [Int] { app.withLock { $0.deliveries.map { $0.load } } }

  static func order(_ loads: [Int]) -> String {
    "the order of delivery is \(loads.map { "\($0 + 1)" }.joined(separator: ", "))"
  }

  /// The app loads something.
  ///
  /// - Parameters:
  ///   - kind: What it loads.
  ///   - url: The URL of an image.
  ///   - isOnMainQueue: Whether the app calls its loader on the main queue.
  ///   - early: How the load ends before the call returns; `nil` if it ends later.
  ///   - deliveryPlace: Where it ends then. The main queue can have a part in it only if the app calls on the main queue.
  ///   - reaction: What the app does in the completion.
  func load(
    _ kind: Kind, _ url: URL = FeedImage.cat.url, onMainQueue isOnMainQueue: Bool = true, early: Ending? = nil,
    on deliveryPlace: Place = .mainQueue, reaction: Reaction = .nothing, leadsToAllOf listed: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async {
    guard model.hasDecorators else { return impossible(at: location) }
    let (index, seconds) = (model.loads.count, Deadline.seconds / 2)
    let isSynchronous = isOnMainQueue && deliveryPlace == .mainQueue
    model.load(kind, url, reaction, synchronously: isSynchronous ? early : nil)
    if !isSynchronous, let early { model.end([index], with: early, synchronously: false) }

    var sentence = "The app loads \(kind.inWords(url))\(isOnMainQueue ? "" : " on another queue") (load \(index + 1))."
    if let early {
      sentence += " Before the call returns, load \(index + 1) ends with \(early.inWords(kind, index)), \(deliveryPlace.inWords)."
    }
    sentence += reaction.inWords
    await event(sentence, leadsToAllOf: listed, at: location) {
      loads.prepare(early: early, at: deliveryPlace, within: seconds)
      await performWithHops("the call for load \(index + 1)", on: isOnMainQueue ? .main : .newBackgroundQueue) { [self] in
        start(kind, url, reaction)
      }
    }
  }

  /// One or more loads end, one after another. Another load may end in the same way.
  ///
  /// - Parameters:
  ///   - indexes: The indexes of the loads.
  ///   - ending: How they end.
  ///   - place: Where they end.
  ///   - next: A load that ends in the same block of the main queue.
  ///   - simultaneous: A load that ends on another queue while the first one's completion runs.
  func end(
    _ indexes: [Int] = [0], with ending: Ending = .value, on place: Place, thenEnding next: Int? = nil,
    duringTheDelivery simultaneous: Int? = nil, leadsToAllOf listed: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async {
    guard Set(indexes).isSubset(of: open), let first = indexes.first, place != .otherQueue || next == nil
    else { return impossible(at: location) }
    // On the main queue, a result is delivered before what follows. A hop comes after it.
    if place == .mainQueue { model.end(indexes, with: ending, synchronously: true) }
    if let next { model.end([next], with: ending, synchronously: true) }
    if place != .mainQueue { model.end(indexes, with: ending, synchronously: false) }
    if let simultaneous { model.end([simultaneous], with: ending, synchronously: false) }

    let result = { (index: Int) in ending.inWords(self.model.loads[index].kind, index) }
    let ends = indexes.map { "load \($0 + 1) ends with \(result($0))" }.joined(separator: ", then ")
    var sentence = ends.prefix(1).uppercased() + ends.dropFirst() + ", \(place.inWords)."
    if let next { sentence += " In the same block of the main queue, load \(next + 1) then ends with \(result(next))." }
    if let simultaneous {
      sentence +=
        " While the completion of load \(first + 1) runs, load \(simultaneous + 1) ends with \(result(simultaneous)), on another queue."
    }
    let seconds = Deadline.seconds / 2
    await event(sentence, leadsToAllOf: listed, at: location) {
      if let simultaneous {
        let end = { [loads] in
          loads.run(at: .otherQueue, within: seconds) { loads.end(simultaneous, with: ending) }
        }
        app.withLock { $0.duringDelivery[first] = end }
      }
      await performWithHops("the completion of load \(first + 1)", on: place.queue) { [self] in
        loads.run(at: place, within: seconds) {
          for index in indexes { self.loads.end(index, with: ending) }
        }
        if let next { loads.run(at: .mainQueue, within: seconds) { self.loads.end(next, with: ending) } }
      }
      app.withLock { $0.duringDelivery = [:] }
    }
  }

  /// The app cancels a load, and the image loader delivers nothing. If a loader does deliver then, the page leaves open what follows.
  func cancel(_ index: Int, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard model.cancelable.contains(index) else { return impossible(at: location) }
    model.cancel(index)
    await event("The app cancels load \(index + 1).", leadsToAllOf: listed, at: location) {
      await performWithHops("`cancel()`", on: .main) { [app] in app.withLock { $0.tasks[index] }?.cancel() }
    }
  }

  func releaseTask(_ index: Int = 0, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard model.withTask.contains(index) else { return impossible(at: location) }
    model.loads[index].hasTask = false
    await event("The app releases the task of load \(index + 1).", leadsToAllOf: listed, at: location) {
      _ = app.withLock { $0.tasks.removeValue(forKey: index) }
    }
  }

  func releaseDecorators(leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard model.hasDecorators else { return impossible(at: location) }
    model.hasDecorators = false
    let sentence = "The app releases the decorators. Only the loads in flight still need them."
    await event(sentence, leadsToAllOf: listed, at: location) {
      let decorators = app.withLock { $0.decorators.take() }
      withExtendedLifetime(decorators) {}
    }
  }

  override func release() async {
    if model.hasDecorators { await releaseDecorators() }
  }

  override func nextEnding() -> (() async -> Void)? {
    if let index = open.first { return { await self.end([index], on: .otherQueue) } }
    let tasks = app.withLock { $0.tasks }
    app.withLock { $0.tasks = [:] }
    withExtendedLifetime(tasks) {}
    return nil
  }

  /// The indexes of the loads that have not ended.
  private var open: [Int] { loads.open.filter(model.loads.indices.contains) }

  /// Starts a load on the current queue.
  func start(_ kind: Kind, _ url: URL = FeedImage.cat.url, _ reaction: Reaction = .nothing) {
    guard let decorators = app.withLock({ $0.decorators }) else { return }
    let captured = Captured()
    let index = app.withLock { app in
      app.captures[app.loads] = { [weak captured] in captured }
      app.loads += 1
      return app.loads - 1
    }
    let task = decorators.load(kind, url) { [weak self] words in
      captured.use()
      self?.receive(words, of: index, kind, url, reaction)
    }
    app.withLock { $0.tasks[index] = task }
    if loads.count <= index { loads.notes.receive("the call for load \(index + 1) returns before the service is called") }
  }

  private func receive(_ words: String, of index: Int, _ kind: Kind, _ url: URL, _ reaction: Reaction) {
    let place = !MainQueue.isCurrent ? "on another queue" : loads.isEndingOnMainQueue(index) ? "synchronously" : "after a hop"
    let duringDelivery = app.withLock { app in
      app.deliveries.append((index, "\(words), \(place)"))
      return app.duringDelivery.removeValue(forKey: index)
    }
    guard MainQueue.isCurrent else { return }
    duringDelivery?()
    switch reaction {
    case .nothing: break
    case .loadsAgain: start(kind, url)
    case .loadsAgainFromACache:
      loads.prepare(early: .value, within: 0.5)
      start(kind, url)
    }
  }
}

extension DispatchWorld.Reaction {
  fileprivate var inWords: String {
    switch self {
    case .nothing: ""
    case .loadsAgain: " The completion will start another load of the same thing."
    case .loadsAgainFromACache:
      " The completion will start another load of the same thing, which will end before its call returns."
    }
  }
}

extension DispatchWorld {
  static var randomEvents: [RandomEvent<DispatchWorld>] {
    [
      RandomEvent(30) { world, random in
        let kind = world.kinds.randomElement(using: &random)!
        // Tasks are canceled on the main queue, so images are loaded there, too.
        let isOnMainQueue = kind == .image || Bool.random(using: &random)
        let isEarly = Int.random(in: 0..<4, using: &random) == 3
        let reactions = [Reaction.nothing, .nothing, .nothing, .loadsAgain, .loadsAgainFromACache]
        await world.load(
          kind, [FeedImage.cat.url, FeedImage.dog.url].randomElement(using: &random)!, onMainQueue: isOnMainQueue,
          early: isEarly ? .random(using: &random) : nil,
          on: isOnMainQueue ? Place.allCases.randomElement(using: &random)! : .otherQueue,
          reaction: reactions.randomElement(using: &random)!)
      },
      RandomEvent(24) { world, random in
        guard let first = world.open.at(.random(in: 0..<9, using: &random)) else { return }
        let isSameKind = { (index: Int) in world.model.loads[index].kind == world.model.loads[first].kind }
        let endsAll = Int.random(in: 0..<3, using: &random) == 2
        let indexes = endsAll ? world.open.filter(isSameKind) : [first]
        let ending = Ending.random(using: &random)
        let place = Place.allCases.randomElement(using: &random)!
        let position = Int.random(in: 0..<9, using: &random)
        // What else happens may be impossible.
        switch Int.random(in: 0..<3, using: &random) {
        case 1 where place != .otherQueue:
          await world.end(indexes, with: ending, on: place, thenEnding: world.another(than: indexes, at: position))
        case 2 where indexes == [first]:
          await world.end(indexes, with: ending, on: place, duringTheDelivery: world.another(than: indexes, at: position))
        default: await world.end(indexes, with: ending, on: place)
        }
      },
      RandomEvent(8) { world, random in
        guard let index = world.model.cancelable.at(.random(in: 0..<9, using: &random)) else { return }
        await world.cancel(index)
        if Bool.random(using: &random) { await world.releaseTask(index) }
      },
      RandomEvent(8) { world, random in
        guard let index = world.model.withTask.at(.random(in: 0..<9, using: &random)) else { return }
        await world.releaseTask(index)
      },
      // Afterward, nothing can be loaded.
      RandomEvent(1) { world, _ in await world.releaseDecorators() },
    ]
  }

  /// Creates a world for a random story.
  convenience init(using random: inout SeededRandom) {
    let any = Kind.allCases.shuffled(using: &random)
    self.init(
      loading: [[.image], [.image, .image, .image, any[0]], [any[0], any[0], any[0], any[1]]].randomElement(using: &random)!)
  }

  /// Picks another load, of the same kind if there is one. No completion does anything else, which might interfere.
  private func another(than indexes: [Int], at position: Int) -> Int? {
    let isPlain = { (index: Int) in self.model.loads[index].reaction == .nothing }
    guard indexes.allSatisfy(isPlain) else { return nil }
    let others = open.filter { isPlain($0) && !indexes.contains($0) }
    let sameKind = others.filter { model.loads[$0].kind == model.loads[indexes[0]].kind }
    return (sameKind.isEmpty ? others : sameKind).at(position)
  }
}
