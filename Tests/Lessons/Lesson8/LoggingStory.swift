import Given
import TestSupport
import Testing

@testable import Exercise8

/// A story about loads that overlap, fail, or are canceled, and about what is logged, tracked, and shown.
class LoggingStory: Story {
  enum Event: Sendable {
    case load(World.Loaded, isCanceled: Bool = false, ignoresCancels: Bool = false, immediately: LoadEnding? = nil)
    case end(Int = 0, with: LoadEnding)
    case cancel(Int = 0)
    case advance(by: TimeInterval)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let trouble = Trouble.random(using: &random)
    let ending: LoadEnding = Bool.random(using: &random) ? .success(Int.random(in: 0...4, using: &random)) : .failure(trouble)
    let position = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      return .load(
        World.Loaded.allCases.randomElement(using: &random)!, isCanceled: Int.random(in: 0..<6, using: &random) == 0,
        ignoresCancels: Bool.random(using: &random), immediately: Int.random(in: 0..<5, using: &random) == 0 ? ending : nil)
    case 4..<8: return .end(position, with: ending)
    case 8: return .cancel(position)
    default: return .advance(by: [0.0004, 0.1250004, 1.5, 60].randomElement(using: &random)!)
    }
  }

  static let leakMessage: Comment = "All loads have ended, but something still retains the loader, the service, or the screen."
  /// What a generated story can be about.
  class var subjects: [World.Subject] { CompositionRoot.Context.allCases.map(World.Subject.app) }

  let leaks = LeakTracker()
  let setting: [String]
  private let world: World
  private var model: LoggingModel
  private var isReleased = false

  init(_ subject: World.Subject) {
    world = World(subject, leaks)
    model = LoggingModel(subject)
    setting = [subject.inWords]
  }

  required convenience init(using random: inout SeededRandom) {
    self.init(Self.subjects.randomElement(using: &random)!)
  }

  func play(_ event: Event) async -> String? {
    let now = world.clock.now
    switch event {
    case .load(let what, let isCanceled, let ignoresCancels, let ending):
      guard !isReleased else { return nil }
      let what = what == .items && !model.hasItems ? .transactions : what
      model.load(what, at: now, isCanceled: isCanceled, ignoresCancels: ignoresCancels, immediately: ending)
      return await world.load(what, isCanceled: isCanceled, ignoresCancels: ignoresCancels, immediately: ending)
    case .end(let position, let ending):
      guard let number = model.open(at: position) else { return nil }
      model.end(number, with: ending, at: now)
      return await world.end(number, with: ending)
    case .cancel(let position):
      guard let number = model.open(at: position), !model.loads[number].isCanceled else { return nil }
      model.cancel(number, at: now)
      return world.cancel(number, ignored: model.loads[number].ignoresCancels)
    case .advance(let seconds):
      return world.advance(by: seconds)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { world.observed }

  func remark(on differences: [String]) -> String? { world.remark(on: differences) }

  func release() -> String? {
    world.release()
    isReleased = true
    return nil
  }

  func nextEnding() -> Event? {
    model.open(at: 0) == nil ? nil : .end(with: .success(2))
  }
}

/// A story about the function that logs.
final class FunctionStory: LoggingStory {
  override class var subjects: [World.Subject] { [.function] }
}

/// What the page promises, as plain values.
private struct LoggingModel {
  struct Load {
    let what: World.Loaded
    let start: ContinuousClock.Instant
    let ignoresCancels: Bool
    var isOpen = true
    var isCanceled = false
  }

  let hasItems: Bool
  /// Everything that may be observed.
  private(set) var effects: [String] = []
  private(set) var loads: [Load] = []
  private let (logs, tracks): (Bool, Bool)
  private var rows: [String] = []
  private var message: String?

  init(_ subject: World.Subject) {
    switch subject {
    case .app(let context): (hasItems, logs, tracks) = (true, context == .debug, context != .tests)
    case .decorator, .function: (hasItems, logs, tracks) = (false, true, false)
    case .tracking: (hasItems, logs, tracks) = (true, false, true)
    }
  }

  /// The number of a load that has not ended: the one at a position modulo their number.
  func open(at position: Int) -> Int? {
    let open = loads.indices.filter { loads[$0].isOpen }
    return open.isEmpty ? nil : open[position % open.count]
  }

  mutating func load(
    _ what: World.Loaded, at now: ContinuousClock.Instant, isCanceled: Bool, ignoresCancels: Bool,
    immediately ending: LoadEnding?
  ) {
    loads.append(Load(what: what, start: now, ignoresCancels: ignoresCancels || ending != nil))
    let shown = what == .screen ? " while the screen shows \(String.shown(rows, message))" : ""
    effects.append("load \(loads.count) requests the \(what.values)\(shown)")
    if isCanceled { cancel(loads.count - 1, at: now) }
    if let ending { end(loads.count - 1, with: ending, at: now) }
  }

  mutating func cancel(_ number: Int, at now: ContinuousClock.Instant) {
    loads[number].isCanceled = true
    effects.append("the cancellation of load \(number + 1) reaches the back end")
    if !loads[number].ignoresCancels { end(number, with: .failure(.cancellation), at: now) }
  }

  mutating func end(_ number: Int, with ending: LoadEnding, at now: ContinuousClock.Instant) {
    loads[number].isOpen = false
    let (what, duration) = (loads[number].what, loads[number].start.duration(to: now))
    var result: String
    do {
      let values = try ending.values(of: number)
      if what == .items, tracks { effects.append("tracked: \(values)") }
      if what != .items, logs { log(LoadMessage.loaded(values.count, in: duration)) }
      if what == .screen { (rows, message) = (values, nil) }
      result = "returns \(values)"
    } catch {
      if what != .items, logs { log(LoadMessage.failed(after: duration)) }
      if what == .screen { message = error.localizedDescription }
      result = "throws \(error.inWords)"
    }
    if what == .screen { result = "returns while the screen shows \(String.shown(rows, message))" }
    effects.append("load \(number + 1) \(result)")
  }

  private mutating func log(_ message: String) {
    effects.append(#"logged: "\#(message)""#)
  }
}
