import Given
import TestSupport
import Testing

/// A story about an app that loads with the decorators, and services that deliver on any queue.
final class DispatchStory: Story {
  enum Event: Sendable {
    case load(Kind, DispatchWorld.Plan = DispatchWorld.Plan())
    /// A load ends, or all loads of its kind do, one after another.
    case end(Int = 0, with: Ending = .value, on: Place, all: Bool = false, then: DispatchWorld.FollowUp? = nil)
    case cancel(Int = 0, twice: Bool = false, thenReleased: Bool = false)
    case releaseTask(Int = 0)
    case releaseDecorators

    /// Whether the event may cancel a load. What that load delivers is open before step 4.
    var mayCancel: Bool {
      switch self {
      case .load(_, let plan): plan.isCanceled || plan.reaction == .cancelsAllImages
      case .end(_, _, _, _, .cancel), .cancel: true
      case .end, .releaseTask, .releaseDecorators: false
      }
    }
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    switch Int.random(in: 0..<25, using: &random) {
    case 0..<10:
      let kind = (Kind.allCases + [.image, .image]).randomElement(using: &random)!
      // Tasks are canceled on the main queue, so images are loaded there, too.
      let isOnMainQueue = kind == .image || Bool.random(using: &random)
      let places = isOnMainQueue ? Place.allCases : [.otherQueue]
      let isEarly = Int.random(in: 0..<4, using: &random) == 0
      return .load(
        kind,
        DispatchWorld.Plan(
          url: [FeedImage.cat.url, FeedImage.dog.url].randomElement(using: &random)!, isOnMainQueue: isOnMainQueue,
          early: isEarly ? Early(ending: .random(using: &random), place: places.randomElement(using: &random)!) : nil,
          reaction: [.nothing, .nothing, .nothing, .loadsAgain, .loadsAgainFromACache, .cancelsAllImages]
            .randomElement(using: &random)!,
          afterCancel: Loads.AfterCancel.allCases.randomElement(using: &random)!,
          isCanceled: kind == .image && isEarly && Bool.random(using: &random)))
    case 10..<18:
      let all = Int.random(in: 0..<3, using: &random) == 0
      let ending = Ending.random(using: &random)
      return .end(
        position, with: ending, on: Place.allCases.randomElement(using: &random)!, all: all,
        then: [nil, .cancel(position), .end(position, ending), .endDuringTheDelivery(position, ending)]
          .randomElement(using: &random)!)
    case 18..<22:
      return .cancel(position, twice: Bool.random(using: &random), thenReleased: Bool.random(using: &random))
    case 22..<24: return .releaseTask(position)
    // Afterward, nothing can be loaded.
    default: return Int.random(in: 0..<3, using: &random) == 0 ? .releaseDecorators : .releaseTask(position)
    }
  }

  static let leakMessage: Comment =
    "All loads have ended, but something is still retained. What do your closures capture, and what do your objects store?"

  let leaks = LeakTracker()
  let setting = ["Each of the app's four loaders is decorated."]
  private let world: DispatchWorld
  /// What the app loads in this story. With few kinds, more loads of one decorator overlap.
  private let kinds: [Kind]
  private var model = DispatchModel()

  init(loading kinds: [Kind] = Kind.allCases) {
    (world, self.kinds) = (DispatchWorld(leaks), kinds)
  }

  convenience init(using random: inout SeededRandom) {
    let any = Kind.allCases.shuffled(using: &random)
    self.init(loading: [[.image], [.image, any[0]], Array(any.prefix(2))].randomElement(using: &random)!)
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let kind, let plan): return await load(kind, plan)
    case .end(let position, let ending, let place, let all, let next):
      return await end(position, with: ending, on: place, all: all, then: next)
    case .cancel(let position, let twice, let isReleased):
      guard let index = model.cancelable.at(position) else { return nil }
      model.cancel(index)
      let sentence = await world.cancel(index, twice: twice)
      return isReleased ? "\(sentence) \(releaseTask(index))" : sentence
    case .releaseTask(let position): return model.cancelable.at(position).map(releaseTask)
    case .releaseDecorators: return release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { world.observed }

  func release() -> String? {
    guard model.hasDecorators else { return nil }
    model.hasDecorators = false
    return world.release()
  }

  func nextEnding() -> Event? {
    if !world.loads.open.isEmpty { return .end(on: .otherQueue) }
    world.releaseTasks()
    return nil
  }

  private func load(_ kind: Kind, _ plan: DispatchWorld.Plan) async -> String? {
    guard model.hasDecorators else { return nil }
    var (kind, plan) = (kind, plan)
    if !kinds.contains(kind) {
      kind = kinds[0]
      // Tasks are canceled on the main queue, so images are loaded there, too.
      if kind == .image { plan.isOnMainQueue = true }
      if kind != .image { plan.isCanceled = false }
    }
    let index = model.loads.count
    let isSynchronous = plan.isOnMainQueue && plan.early?.place == .mainQueue
    model.load(kind, plan.url, plan.reaction, synchronously: isSynchronous ? plan.early?.ending : nil)
    if plan.isCanceled { model.cancel(index) }
    if !isSynchronous, let early = plan.early { model.end([index], with: early.ending, synchronously: false) }
    return await world.load(kind, plan)
  }

  private func end(
    _ position: Int, with ending: Ending, on place: Place, all: Bool, then next: DispatchWorld.FollowUp?
  ) async -> String? {
    let open = world.loads.open.filter(model.loads.indices.contains)
    guard let first = open.at(position) else { return nil }
    let indexes = all ? open.filter { model.loads[$0].kind == model.loads[first].kind } : [first]
    // On the main queue, a result is delivered before what follows. A hop comes after it.
    if place == .mainQueue { model.end(indexes, with: ending, synchronously: true) }
    let next = follow(next, indexes, after: place)
    if place != .mainQueue { model.end(indexes, with: ending, synchronously: false) }
    if case .endDuringTheDelivery(let other, let ending) = next { model.end([other], with: ending, synchronously: false) }
    return await world.end(indexes, with: ending, at: place, then: next)
  }

  /// Decides what else happens, and to which load. What happens in the same block of the main queue also happens to the model.
  private func follow(_ next: DispatchWorld.FollowUp?, _ indexes: [Int], after place: Place) -> DispatchWorld.FollowUp? {
    // A completion that does something else may interfere. Where that would matter, nothing follows.
    let isPlain = indexes.allSatisfy { model.loads[$0].reaction == .nothing }
    switch next {
    case .cancel(let position) where place != .otherQueue:
      guard let index = model.cancelable.at(position) else { return nil }
      model.cancel(index)
      return .cancel(index)
    case .end(let position, let ending) where place != .otherQueue && isPlain:
      guard let index = another(position, than: indexes) else { return nil }
      model.end([index], with: ending, synchronously: true)
      return .end(index, ending)
    case .endDuringTheDelivery(let position, let ending)
    where indexes.count == 1 && isPlain && !model.loads[indexes[0]].isCanceled:
      return another(position, than: indexes).map { .endDuringTheDelivery($0, ending) }
    default: return nil
    }
  }

  /// Picks another load, of the same kind if there is one. Its completion does nothing else.
  private func another(_ position: Int, than indexes: [Int]) -> Int? {
    let others = world.loads.open.filter {
      model.loads.indices.contains($0) && model.loads[$0].reaction == .nothing && !indexes.contains($0)
    }
    let sameKind = others.filter { model.loads[$0].kind == model.loads[indexes[0]].kind }
    return (sameKind.isEmpty ? others : sameKind).at(position)
  }

  private func releaseTask(_ index: Int) -> String {
    model.loads[index].hasTask = false
    return world.releaseTask(index)
  }
}

/// What the page promises, as plain values.
private struct DispatchModel {
  struct Load {
    let kind: Kind
    let url: URL
    let reaction: DispatchWorld.Reaction
    /// Whether the app has a task that it can cancel.
    var hasTask = false
    var isDelivered = false
    var isCanceled = false
  }

  var hasDecorators = true
  var loads: [Load] = []
  private var batches: [[Int]] = []
  private var deliveries: [String] = []

  /// Everything that may be observed.
  var effects: [String] {
    loads.enumerated().map { "load \($0.offset + 1) requests \($0.element.kind.inWords($0.element.url))" }
      + deliveries
      + batches.map { batch in DispatchWorld.order(batch.filter { loads[$0].isDelivered }) }
      + loads.indices.filter { loads[$0].isCanceled }.map { "the image loader cancels load \($0 + 1)" }
  }

  /// The loads that the app can cancel. A cancellation may be too late.
  var cancelable: [Int] { loads.indices.filter { loads[$0].hasTask } }

  /// - Parameter ending: How the load ends on the main queue before the call returns.
  mutating func load(
    _ kind: Kind, _ url: URL, _ reaction: DispatchWorld.Reaction = .nothing, synchronously ending: Ending? = nil
  ) {
    let index = loads.count
    loads.append(Load(kind: kind, url: url, reaction: reaction))
    if let ending { end([index], with: ending, synchronously: true) }
    loads[index].hasTask = kind == .image
  }

  mutating func end(_ indexes: [Int], with ending: Ending, synchronously isSynchronous: Bool) {
    if indexes.count > 1 { batches.append(indexes) }
    for index in indexes where !loads[index].isCanceled {
      let load = loads[index]
      loads[index].isDelivered = true
      let place = isSynchronous ? "synchronously" : "after a hop"
      deliveries.append("load \(index + 1) delivers \(ending.inWords(load.kind, index)), \(place)")
      react(to: load)
    }
  }

  private mutating func react(to load: Load) {
    switch load.reaction {
    case .nothing: break
    case .loadsAgain: if hasDecorators { self.load(load.kind, load.url) }
    case .loadsAgainFromACache: if hasDecorators { self.load(load.kind, load.url, synchronously: .value) }
    case .cancelsAllImages: for index in cancelable { cancel(index) }
    }
  }

  mutating func cancel(_ index: Int) {
    if !loads[index].isDelivered { loads[index].isCanceled = true }
  }
}
