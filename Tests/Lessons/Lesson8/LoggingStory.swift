import Given
import TestSupport

@testable import Exercise8

/// What a kind of story can be about.
protocol Subjects {
  static var all: [Stage.Subject] { get }
}

enum AppSubjects: Subjects {
  static let all = CompositionRoot.Context.allCases.map(Stage.Subject.app)
}

enum FunctionSubject: Subjects {
  static let all = [Stage.Subject.function]
}

/// A story about loads that overlap, fail, or are canceled, and about what is logged, tracked, and shown.
final class LoggingStory<S: Subjects>: Story {
  enum Event: Sendable {
    case load(Stage.Loaded, isCanceled: Bool, ignoresCancels: Bool, immediately: LoadEnding?)
    case end(Int, LoadEnding)
    case cancel(Int)
    case advance(TimeInterval)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let trouble = Trouble.random(using: &random)
    let ending: LoadEnding = Bool.random(using: &random) ? .success(Int.random(in: 0...4, using: &random)) : .failure(trouble)
    let position = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      return .load(
        Stage.Loaded.allCases.randomElement(using: &random)!, isCanceled: Int.random(in: 0..<6, using: &random) == 0,
        ignoresCancels: Bool.random(using: &random), immediately: Int.random(in: 0..<5, using: &random) == 0 ? ending : nil)
    case 4..<8: return .end(position, ending)
    case 8: return .cancel(position)
    default: return .advance([0.0004, 0.1250004, 1.5, 60].randomElement(using: &random)!)
    }
  }

  let leaks = LeakTracker()
  let setting: [String]
  private let stage: Stage
  private var model: LoggingModel
  private var isReleased = false

  init(using random: inout SeededRandom) {
    let subject = S.all.randomElement(using: &random)!
    stage = Stage(subject, leaks)
    model = LoggingModel(subject)
    setting = [subject.inWords]
  }

  func play(_ event: Event) async -> String? {
    let now = stage.clock.now
    switch event {
    case .load(let what, let isCanceled, let ignoresCancels, let ending):
      guard !isReleased, what != .items || model.hasItems else { return nil }
      model.load(what, at: now, isCanceled: isCanceled, ignoresCancels: ignoresCancels, immediately: ending)
      return await stage.load(what, isCanceled: isCanceled, ignoresCancels: ignoresCancels, immediately: ending)
    case .end(let position, let ending):
      guard let number = model.open(at: position) else { return nil }
      model.end(number, with: ending, at: now)
      return await stage.end(number, with: ending)
    case .cancel(let position):
      guard let number = model.open(at: position), !model.loads[number].isCanceled else { return nil }
      model.cancel(number, at: now)
      return stage.cancel(number, ignored: model.loads[number].ignoresCancels)
    case .advance(let seconds):
      return stage.advance(by: seconds)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] { stage.observed }

  func remark(on differences: [String]) -> String? { stage.remark(on: differences) }

  func release() -> String? {
    stage.release()
    isReleased = true
    return nil
  }

  func nextEnding() -> Event? {
    model.open(at: 0) == nil ? nil : .end(0, .success(2))
  }
}

/// What the page promises, as plain values.
private struct LoggingModel {
  struct Load {
    let what: Stage.Loaded
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

  init(_ subject: Stage.Subject) {
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
    _ what: Stage.Loaded, at now: ContinuousClock.Instant, isCanceled: Bool, ignoresCancels: Bool,
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
