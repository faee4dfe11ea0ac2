import Given
import TestSupport
import Testing

@testable import Exercise8

/// The objects under test in a story, as functions.
struct StorySubjects {
  /// Loads the transactions without a view model.
  let loadTransactions: LoadTransactions
  /// Loads the transactions by a view model.
  let loadScreen: () async -> Void
  /// What the view model shows.
  let screen: @MainActor () -> (rows: [String], message: String?)
  /// Loads the items; `nil` if the story has no items.
  let loadItems: (() async throws -> [String])?
}

/// A way to put the logging around a load.
protocol LoggingStyle {
  /// The contexts that this style distinguishes; `nil` if it always logs and never tracks.
  static var contexts: [CompositionRoot.Context?] { get }

  static func makeSubjects(
    in context: CompositionRoot.Context?, _ backEnd: StoryBackEnd, _ logger: Inbox<String>, _ tracker: Inbox<[String]>,
    _ leaks: LeakTracker, now: @escaping () -> ContinuousClock.Instant
  ) async -> StorySubjects
}

/// The decorators, as the composition root makes them.
enum DecoratorStyle: LoggingStyle {
  static let contexts = CompositionRoot.Context.allCases.map(Optional.some)

  static func makeSubjects(
    in context: CompositionRoot.Context?, _ backEnd: StoryBackEnd, _ logger: Inbox<String>, _ tracker: Inbox<[String]>,
    _ leaks: LeakTracker, now: @escaping () -> ContinuousClock.Instant
  ) async -> StorySubjects {
    let root = CompositionRoot(context: context ?? .debug, logger: logger, tracker: tracker, now: now)
    let loader = root.transactionsLoader(leaks.track(StoryTransactionsLoader(backEnd)))
    let screen = leaks.track(await Decorated.TransactionsListViewModel(loader: loader))
    let remote = RemoteItemService { try await backEnd.values("items") }
    let service = root.itemService(remote)
    // A solution may use structs, and a copy of one in a box leaks nothing.
    leaks.track(remote as AnyObject)
    leaks.track(loader as AnyObject)
    leaks.track(service as AnyObject)
    return StorySubjects(
      loadTransactions: loader.loadTransactions,
      loadScreen: screen.loadTransactions, screen: { (screen.items.map(\.title), screen.message) },
      loadItems: service.loadItems)
  }
}

/// The function that takes a function.
enum FunctionStyle: LoggingStyle {
  static let contexts: [CompositionRoot.Context?] = [nil]

  static func makeSubjects(
    in context: CompositionRoot.Context?, _ backEnd: StoryBackEnd, _ logger: Inbox<String>, _ tracker: Inbox<[String]>,
    _ leaks: LeakTracker, now: @escaping () -> ContinuousClock.Instant
  ) async -> StorySubjects {
    let load = Functional.logged(
      leaks.track(StoryTransactionsLoader(backEnd)).loadTransactions, logger: logger, now: now)
    let screen = leaks.track(await Functional.TransactionsListViewModel(load: load))
    return StorySubjects(
      loadTransactions: load,
      loadScreen: screen.loadTransactions, screen: { (screen.items.map(\.title), screen.message) }, loadItems: nil)
  }
}

/// A story about loads that overlap, fail, or are canceled, and about what is logged, tracked, and shown.
final class LoggingStory<Style: LoggingStyle>: Story {
  enum Event: Sendable {
    case load(LoadedByStory, isCanceled: Bool, ignoresCancels: Bool, immediately: LoadEnding?)
    case end(Int, LoadEnding)
    case cancel(Int)
    case advance(TimeInterval)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let ending = LoadEnding.any(using: &random)
    let position = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      return .load(
        LoadedByStory.allCases.randomElement(using: &random)!, isCanceled: Int.random(in: 0..<6, using: &random) == 0,
        ignoresCancels: Bool.random(using: &random), immediately: Int.random(in: 0..<5, using: &random) == 0 ? ending : nil)
    case 4..<8: return .end(position, ending)
    case 8: return .cancel(position)
    default: return .advance([0.0004, 0.1250004, 1.5, 60].randomElement(using: &random)!)
    }
  }

  let leaks = LeakTracker()
  private let clock = ManualClock()
  private let backEnd = StoryBackEnd()
  private let logger = Inbox<String>()
  private let tracker = Inbox<[String]>()
  private let singletonLog = Inbox<String>()
  private let singletonTracker = Inbox<[String]>()
  private let results = Inbox<String>()
  private let screen = Locked("")
  private let context: CompositionRoot.Context?
  private var subjects: StorySubjects?
  private var isReleased = false
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var model: LoggingModel

  init(using random: inout SeededRandom) {
    context = Style.contexts.randomElement(using: &random)!
    model = LoggingModel(logs: context == .debug || context == nil, tracks: context == .debug || context == .release)
    screen.withLock { $0 = model.screen }
  }

  var setting: [String] {
    let place = context.map { "The app runs in the \($0) context." } ?? "Every load is logged by the function."
    return ["\(place) It is \(time)."]
  }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load(let what, let isCanceled, let ignoresCancels, let ending):
      await load(what, isCanceled: isCanceled, ignoresCancels: ignoresCancels, immediately: ending)
    case .end(let position, let ending): await end(at: position, with: ending)
    case .cancel(let position): cancel(at: position)
    case .advance(let seconds): advance(by: seconds)
    }
  }

  var expected: [String] { model.effects }

  var observed: [String] {
    backEnd.begun.values
      + backEnd.canceled.values.map { "the cancellation of load \($0 + 1) reaches the back end" }
      + logger.values.map { "logged: \($0)" }
      + tracker.values.map { "tracked: \($0)" }
      + singletonLog.values.map { "logged by `Logger.shared`: \($0)" }
      + singletonTracker.values.map { "tracked by `AnalyticsTracker.shared`: \($0)" }
      + results.values
      + [screen.withLock { $0 }]
  }

  func release() -> String? {
    subjects = nil
    isReleased = true
    return nil
  }

  func nextEnding() -> Event? {
    model.open.isEmpty ? nil : .end(0, .success(2))
  }
}

// What happens, to the objects under test and to the model.
extension LoggingStory {
  private func load(_ what: LoadedByStory, isCanceled: Bool, ignoresCancels: Bool, immediately ending: LoadEnding?) async
    -> String?
  {
    if subjects == nil, !isReleased {
      subjects = await Style.makeSubjects(in: context, backEnd, logger, tracker, leaks, now: { [clock] in clock.now })
    }
    guard let subjects, what != .items || subjects.loadItems != nil else { return nil }
    let number = model.loads.count
    backEnd.plan(ignoresCancels: ignoresCancels, immediately: ending)
    model.load(what, at: clock.now, ignoresCancels: ignoresCancels)
    if isCanceled { model.cancel(number, at: clock.now, isEnding: ending != nil) }
    if let ending { model.end(number, with: ending, at: clock.now) }
    start(what, number, subjects, isCanceled: isCanceled)

    let task = isCanceled ? " in a canceled task" : ""
    let end = ending.map { " It ends immediately with \($0.inWords)." } ?? ""
    return "\(time): \(what.inWords)\(task) (load \(number + 1)).\(end)"
  }

  /// Starts a load in a task. Messages to `Logger.shared` and `AnalyticsTracker.shared` are recorded for this story only.
  private func start(_ what: LoadedByStory, _ number: Int, _ subjects: StorySubjects, isCanceled: Bool) {
    let (results, logger, tracker, screen) = (results, logger, tracker, screen)
    @Sendable func returned(_ result: String) {
      results.receive(LoggingModel.inWords(number, result, logged: logger.values.count, tracked: tracker.values.count))
    }
    Logger.$redirection.withValue(singletonLog) {
      AnalyticsTracker.$redirection.withValue(singletonTracker) {
        tasks[number] = Task {
          if isCanceled { withUnsafeCurrentTask { $0?.cancel() } }
          do {
            switch what {
            case .transactions: returned("\(try await subjects.loadTransactions().map(\.payee))")
            case .items: returned("\(try await subjects.loadItems?() ?? [])")
            case .screen:
              await subjects.loadScreen()
              returned("nothing")
              let shown = await MainActor.run { subjects.screen() }
              screen.withLock { $0 = LoggingModel.inWords(shown.rows, shown.message) }
            }
          } catch {
            returned("an error, \(error.inWords)")
          }
        }
      }
    }
  }

  private func end(at position: Int, with ending: LoadEnding) async -> String? {
    guard !model.open.isEmpty else { return nil }
    let number = model.open[position % model.open.count]
    model.end(number, with: ending, at: clock.now)
    await backEnd.end(number, with: ending)
    return "\(time): Load \(number + 1) ends with \(ending.inWords)."
  }

  private func cancel(at position: Int) -> String? {
    guard !model.open.isEmpty else { return nil }
    let number = model.open[position % model.open.count]
    guard !model.loads[number].isCanceled else { return nil }
    model.cancel(number, at: clock.now)
    tasks[number]?.cancel()
    return "\(time): The task of load \(number + 1) is canceled. The back end "
      + (model.loads[number].ignoresCancels ? "continues." : "throws a CancellationError.")
  }

  private func advance(by seconds: TimeInterval) -> String? {
    clock.advance(by: seconds)
    return "\(seconds) seconds pass. It is \(time)."
  }

  private var time: String { clock.date.inWords }
}

/// What is loaded, and by whom.
enum LoadedByStory: CaseIterable, Sendable {
  case transactions, screen, items
}

/// The end of a load in a story: a number of values, 0 to 3, or a trouble.
typealias LoadEnding = Result<Int, Trouble>

extension LoadEnding {
  /// Any ending; half of them are values.
  static func any(using random: inout SeededRandom) -> Self {
    Bool.random(using: &random)
      ? .success(Int.random(in: 0...3, using: &random)) : .failure(Trouble.random(using: &random))
  }

  var inWords: String {
    switch self {
    case .success(let count): count == 1 ? "1 value" : "\(count) values"
    case .failure(let trouble): trouble.inWords
    }
  }

  /// The values of a load. They are not sorted, and one of them repeats itself.
  func values(of number: Int) throws -> [String] {
    try mapError(\.error).map { Array(["Tea \(number + 1)", "Bread \(number + 1)", "Tea \(number + 1)"].prefix($0)) }.get()
  }
}

/// The back end. The story decides when each load ends.
final class StoryBackEnd: Sendable {
  /// What each load is about, oldest first.
  let begun = Inbox<String>()
  /// The numbers of the loads whose cancellation has arrived here.
  let canceled = Inbox<Int>()

  private let calls = AsyncCalls<Int, LoadEnding>(to: "the back end")
  private let next = Locked<(number: Int, plan: (ignoresCancels: Bool, ending: LoadEnding?))>((0, (false, nil)))

  /// Decides what the next load does when it is canceled, and whether it ends immediately.
  func plan(ignoresCancels: Bool, immediately ending: LoadEnding?) {
    next.withLock { $0.plan = (ignoresCancels, ending) }
  }

  func end(_ number: Int, with ending: LoadEnding) async {
    await eventually { calls.arguments.contains(number) }
    guard let index = calls.arguments.firstIndex(of: number) else { return }
    calls.complete(index, with: .success(ending))
  }

  /// Loads values of a kind.
  func values(_ kind: String) async throws -> [String] {
    let (number, plan) = next.withLock { next in
      defer { next.number += 1 }
      return next
    }
    begun.receive("load \(number + 1) requests the \(kind)")
    let ending = try await withTaskCancellationHandler {
      if let ending = plan.ending { return ending }
      // The cancellation of a task does not reach a new one.
      return plan.ignoresCancels ? try await Task { try await calls.receive(number) }.value : try await calls.receive(number)
    } onCancel: {
      canceled.receive(number)
    }
    return try ending.values(of: number)
  }
}

/// A loader of transactions from the back end.
private final class StoryTransactionsLoader: TransactionsLoading {
  private let backEnd: StoryBackEnd

  init(_ backEnd: StoryBackEnd) {
    self.backEnd = backEnd
  }

  func loadTransactions() async throws -> [Transaction] {
    try await backEnd.values("transactions").map { Transaction(payee: $0, cents: -320) }
  }
}

extension LoadedByStory {
  fileprivate var inWords: String {
    switch self {
    case .transactions: "The transactions are loaded"
    case .screen: "The screen loads the transactions"
    case .items: "The items are loaded"
    }
  }
}

/// What the page promises, as plain values.
struct LoggingModel {
  struct Load {
    let what: LoadedByStory
    let start: ContinuousClock.Instant
    let ignoresCancels: Bool
    var isOpen = true
    var isCanceled = false
  }

  /// Whether the loads of transactions are logged in this context.
  let logs: Bool
  /// Whether the loads of items are tracked in this context.
  let tracks: Bool
  private(set) var loads: [Load] = []
  private var rows: [String] = []
  private var message: String?
  private var log: [String] = []
  private var tracked: [[String]] = []
  private var results: [String] = []

  init(logs: Bool, tracks: Bool) {
    (self.logs, self.tracks) = (logs, tracks)
  }

  /// The numbers of the loads that have not ended, oldest first.
  var open: [Int] { loads.indices.filter { loads[$0].isOpen } }

  /// Everything that may be observed.
  var effects: [String] {
    loads.enumerated().map { "load \($0.offset + 1) requests the \($0.element.what == .items ? "items" : "transactions")" }
      + loads.indices.filter { loads[$0].isCanceled }.map { "the cancellation of load \($0 + 1) reaches the back end" }
      + log.map { "logged: \($0)" } + tracked.map { "tracked: \($0)" } + results + [screen]
  }

  var screen: String { Self.inWords(rows, message) }

  mutating func load(_ what: LoadedByStory, at now: ContinuousClock.Instant, ignoresCancels: Bool) {
    loads.append(Load(what: what, start: now, ignoresCancels: ignoresCancels))
  }

  /// - Parameter isEnding: Whether the load ends before the back end can react to the cancellation.
  mutating func cancel(_ number: Int, at now: ContinuousClock.Instant, isEnding: Bool = false) {
    loads[number].isCanceled = true
    if !isEnding, !loads[number].ignoresCancels { end(number, with: .failure(.cancellation), at: now) }
  }

  mutating func end(_ number: Int, with ending: LoadEnding, at now: ContinuousClock.Instant) {
    loads[number].isOpen = false
    let (what, duration) = (loads[number].what, loads[number].start.duration(to: now))
    do {
      let values = try ending.values(of: number)
      if what == .items, tracks { tracked.append(values) }
      if what != .items, logs { log.append(LoadMessage.loaded(values.count, in: duration)) }
      if what == .screen { (rows, message) = (values, nil) }
      returned(number, "\(values)")
    } catch {
      if what != .items, logs { log.append(LoadMessage.failed(after: duration)) }
      if what == .screen { message = error.localizedDescription }
      returned(number, "an error, \(error.inWords)")
    }
  }

  private mutating func returned(_ number: Int, _ result: String) {
    let words = loads[number].what == .screen ? "nothing" : result
    results.append(Self.inWords(number, words, logged: log.count, tracked: tracked.count))
  }

  static func inWords(_ number: Int, _ result: String, logged: Int, tracked: Int) -> String {
    "load \(number + 1) returns \(result) (by then, messages logged: \(logged), loads tracked: \(tracked))"
  }

  static func inWords(_ rows: [String], _ message: String?) -> String {
    "the screen shows the rows \(rows) and \(message.map { "the message \($0)" } ?? "no message")"
  }
}
