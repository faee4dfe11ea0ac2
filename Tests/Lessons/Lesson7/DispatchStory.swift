import Given
import TestSupport

/// A story about an app that loads with the decorators, and services that deliver on any queue.
final class DispatchStory: Story {
  enum Event: Sendable {
    case load(Stage.Plan)
    case end(Int, all: Bool, Ending, Place, then: Sequel)
    case cancel(Int, twice: Bool, thenReleased: Bool)
    case releaseTask(Int)
    case releaseDecorators

    /// Whether the event may cancel a load. What that load delivers is open before step 4.
    var mayCancel: Bool {
      switch self {
      case .load(let plan): plan.isCanceled || plan.reaction == .cancelsAllImages
      case .end(_, _, _, _, let sequel): sequel == .cancel
      case .cancel: true
      case .releaseTask, .releaseDecorators: false
      }
    }
  }

  /// What else happens when a load ends. The story picks the other load by its position.
  enum Sequel: CaseIterable, Sendable {
    case nothing, cancel, endOnTheMainQueue, endDuringTheDelivery
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
        Stage.Plan(
          kind: kind, url: [FeedImage.cat.url, FeedImage.dog.url].randomElement(using: &random)!, isOnMainQueue: isOnMainQueue,
          early: isEarly ? Early(ending: .random(using: &random), place: places.randomElement(using: &random)!) : nil,
          reaction: [.nothing, .nothing, .nothing, .loadsAgain, .loadsAgainFromACache, .cancelsAllImages]
            .randomElement(using: &random)!,
          afterCancel: Loads.AfterCancel.allCases.randomElement(using: &random)!,
          isCanceled: kind == .image && isEarly && Bool.random(using: &random)))
    case 10..<18:
      return .end(
        position, all: Int.random(in: 0..<3, using: &random) == 0, .random(using: &random),
        Place.allCases.randomElement(using: &random)!, then: Sequel.allCases.randomElement(using: &random)!)
    case 18..<22:
      return .cancel(position, twice: Bool.random(using: &random), thenReleased: Bool.random(using: &random))
    case 22..<24: return .releaseTask(position)
    default: return .releaseDecorators
    }
  }

  let leaks = LeakTracker()
  let setting = ["Each of the app's four loaders is decorated."]
  private let stage: Stage
  /// What the app loads in this story. With few kinds, more loads of one decorator overlap.
  private let kinds: [Kind]
  private var model = DispatchModel()

  init(using random: inout SeededRandom) {
    stage = Stage(leaks)
    let any = Kind.allCases.shuffled(using: &random)
    kinds = [[.image], [.image, any[0]], Array(any.prefix(2))].randomElement(using: &random)!
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let plan): return await load(plan)
    case .end(let position, let all, let ending, let place, let sequel):
      return await end(position, all: all, with: ending, at: place, then: sequel)
    case .cancel(let position, let twice, let isReleased):
      guard let index = model.cancelable.at(position) else { return nil }
      model.cancel(index)
      let sentence = await stage.cancel(index, twice: twice)
      return isReleased ? "\(sentence) \(releaseTask(index))" : sentence
    case .releaseTask(let position): return model.cancelable.at(position).map(releaseTask)
    case .releaseDecorators: return release()
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { stage.observed }

  func release() -> String? {
    guard model.hasDecorators else { return nil }
    model.hasDecorators = false
    return stage.release()
  }

  func nextEnding() -> Event? {
    if !stage.loads.open.isEmpty { return .end(0, all: false, .value, .otherQueue, then: .nothing) }
    stage.releaseTasks()
    return nil
  }

  private func load(_ plan: Stage.Plan) async -> String? {
    guard model.hasDecorators else { return nil }
    var plan = plan
    if !kinds.contains(plan.kind) {
      plan.kind = kinds[0]
      // Tasks are canceled on the main queue, so images are loaded there, too.
      if plan.kind == .image { plan.isOnMainQueue = true }
      if plan.kind != .image { plan.isCanceled = false }
    }
    let index = model.loads.count
    let isSynchronous = plan.isOnMainQueue && plan.early?.place == .mainQueue
    model.load(plan, synchronously: isSynchronous ? plan.early?.ending : nil)
    if plan.isCanceled { model.cancel(index) }
    if !isSynchronous, let early = plan.early { model.end([index], with: early.ending, synchronously: false) }
    return await stage.load(plan)
  }

  private func end(_ position: Int, all: Bool, with ending: Ending, at place: Place, then sequel: Sequel) async -> String? {
    let open = stage.loads.open.filter(model.loads.indices.contains)
    guard let first = open.at(position) else { return nil }
    let indexes = all ? open.filter { model.loads[$0].kind == model.loads[first].kind } : [first]
    // On the main queue, a result is delivered before what follows. A hop comes after it.
    if place == .mainQueue { model.end(indexes, with: ending, synchronously: true) }
    let next = follow(sequel, indexes, position, ending, after: place)
    if place != .mainQueue { model.end(indexes, with: ending, synchronously: false) }
    if case .endDuringTheDelivery(let other, let ending) = next { model.end([other], with: ending, synchronously: false) }
    return await stage.end(indexes, with: ending, at: place, then: next)
  }

  /// Decides what else happens. What happens in the same block of the main queue also happens to the model.
  private func follow(_ sequel: Sequel, _ indexes: [Int], _ position: Int, _ ending: Ending, after place: Place) -> Stage.Sequel?
  {
    // A completion that does something else may interfere. Where that would matter, nothing follows.
    let plain = stage.loads.open.filter { model.loads.indices.contains($0) && model.loads[$0].reaction == .nothing }
    let isPlain = indexes.allSatisfy { model.loads[$0].reaction == .nothing }
    let others = plain.filter { !indexes.contains($0) }
    let sameKind = others.filter { model.loads[$0].kind == model.loads[indexes[0]].kind }
    let other = (sameKind.isEmpty ? others : sameKind).at(position)
    switch (sequel, other) {
    case (.cancel, _) where place != .otherQueue:
      guard let index = model.cancelable.at(position) else { return nil }
      model.cancel(index)
      return .cancel(index)
    case (.endOnTheMainQueue, let other?) where place != .otherQueue && isPlain:
      model.end([other], with: ending, synchronously: true)
      return .end(other, ending)
    case (.endDuringTheDelivery, let other?) where indexes.count == 1 && isPlain && !model.loads[indexes[0]].isCanceled:
      return .endDuringTheDelivery(other, ending)
    default: return nil
    }
  }

  private func releaseTask(_ index: Int) -> String {
    model.loads[index].hasTask = false
    return stage.releaseTask(index)
  }
}

extension [Int] {
  /// The element at a position modulo the number of elements; `nil` if there is none.
  func at(_ position: Int) -> Int? {
    isEmpty ? nil : self[position % count]
  }
}

/// What the page promises, as plain values.
private struct DispatchModel {
  struct Load {
    let kind: Kind
    let url: URL
    let reaction: Stage.Reaction
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
      + batches.map { batch in Stage.order(batch.filter { loads[$0].isDelivered }) }
      + loads.indices.filter { loads[$0].isCanceled }.map { "the image loader cancels load \($0 + 1)" }
  }

  /// The loads that the app can cancel. A cancellation may be too late.
  var cancelable: [Int] { loads.indices.filter { loads[$0].hasTask } }

  /// - Parameter ending: How the load ends on the main queue before the call returns.
  mutating func load(_ plan: Stage.Plan, synchronously ending: Ending? = nil) {
    let index = loads.count
    loads.append(Load(kind: plan.kind, url: plan.url, reaction: plan.reaction))
    if let ending { end([index], with: ending, synchronously: true) }
    loads[index].hasTask = plan.kind == .image
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
    let next = Stage.Plan(kind: load.kind, url: load.url)
    switch load.reaction {
    case .nothing: break
    case .loadsAgain: if hasDecorators { self.load(next) }
    case .loadsAgainFromACache: if hasDecorators { self.load(next, synchronously: .value) }
    case .cancelsAllImages: for index in cancelable { cancel(index) }
    }
  }

  mutating func cancel(_ index: Int) {
    if !loads[index].isDelivered { loads[index].isCanceled = true }
  }
}
