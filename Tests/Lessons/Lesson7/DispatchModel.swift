import Given

/// What the page promises, as plain values.
struct DispatchModel {
  struct Load {
    let kind: Kind
    let url: URL
    let reaction: DispatchWorld.Reaction
    /// Whether the app has a task that it can cancel.
    var hasTask = false
    var isCanceled = false
    var hasEnded = false
  }

  var hasDecorators = true
  var loads: [Load] = []
  /// Loads that one queue has ended in this order.
  private(set) var batches: [[Int]] = []
  private var deliveries: [String] = []

  /// Everything that may be observed.
  var effects: [String] {
    loads.enumerated().map { "load \($0.offset + 1) requests \($0.element.kind.inWords($0.element.url))" }
      + deliveries
      + batches.map(DispatchWorld.order)
      + loads.indices.filter { loads[$0].isCanceled }.map { "the image loader cancels load \($0 + 1)" }
  }

  /// The loads whose task the app has, and those of them that it can cancel in time.
  var withTask: [Int] { loads.indices.filter { loads[$0].hasTask } }
  var cancelable: [Int] { withTask.filter { !loads[$0].hasEnded } }

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
    for index in indexes {
      let load = loads[index]
      loads[index].hasEnded = true
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
    }
  }

  mutating func cancel(_ index: Int) {
    (loads[index].isCanceled, loads[index].hasEnded) = (true, true)
  }
}
