import Given
import TestSupport
import Testing

@testable import Exercise8

/// The learner's decorators, the back end behind them, and what can happen to a load.
///
/// Each event returns a sentence about it. What has been observed only grows.
final class World {
  /// What the story is about.
  enum Subject: Sendable {
    /// The logging decorator, and its view model.
    case decorator
    /// The logging function, and its view model.
    case function
    /// The tracking decorator around a service of the suite.
    case tracking
    /// Everything, as the composition root makes it.
    case app(CompositionRoot.Context)

    var inWords: String {
      switch self {
      case .decorator: "A logging decorator wraps the transaction loader."
      case .function: "The function `logged` wraps the transaction loader."
      case .tracking: "The function `tracked` wraps the service."
      case .app(let context): "The app runs in the context `.\(context)`."
      }
    }
  }

  /// What is loaded, and by whom.
  enum Loaded: CaseIterable, Sendable {
    case transactions, screen, items

    var inWords: String {
      switch self {
      case .transactions: "A load of the transactions starts"
      case .screen: "The screen starts a load of the transactions"
      case .items: "A load of the items starts"
      }
    }

    var values: String { self == .items ? "items" : "transactions" }
  }

  /// The objects under test, as functions.
  private struct Cast {
    var loadTransactions: LoadTransactions?
    var loadScreen: (() async -> Void)?
    var screen: @MainActor () -> String = { "" }
    var loadItems: (() async throws -> [String])?
  }

  let clock = ManualClock()
  private let subject: Subject
  private let leaks: LeakTracker
  private let backEnd = StoryBackEnd()
  private let recorder: Recorder
  private let singletonLog = Inbox<String>()
  private let singletonTracker = Inbox<[String]>()
  private let results = Inbox<String>()
  private var cast: Cast?
  private var loads: [(what: Loaded, task: Task<Void, Never>)] = []

  init(_ subject: Subject, _ leaks: LeakTracker) {
    (self.subject, self.leaks, recorder) = (subject, leaks, Recorder(results))
  }

  var observed: [String] {
    backEnd.begun.values + backEnd.canceled.values.map { "the cancellation of load \($0 + 1) reaches the back end" }
      + recorder.records.values
      + singletonLog.values.map { #"logged by `Logger.shared`: "\#($0)""# }
      + singletonTracker.values.map { "tracked by `AnalyticsTracker.shared`: \($0)" } + results.values
  }

  /// A remark on differences between what was expected and what was observed. Each message needs the time twice.
  func remark(on differences: [String]) -> String? {
    let messages = recorder.records.values.count { $0.hasPrefix("logged") }
    return clock.remark(on: differences, about: "logged: ", requiring: 2 * messages)
  }

  /// A load begins, in a task of its own.
  ///
  /// - Parameters:
  ///   - what: What is loaded, and by whom.
  ///   - isCanceled: Whether its task is canceled before the load begins.
  ///   - ignoresCancels: Whether the back end ignores a cancellation.
  ///   - ending: How the load ends immediately; `nil` if it ends later.
  func load(
    _ what: Loaded, isCanceled: Bool, ignoresCancels: Bool, immediately ending: LoadEnding?
  ) async -> String {
    if self.cast == nil { self.cast = await makeCast() }
    guard let cast = self.cast else { return "" }
    let number = loads.count
    recorder.beginEvent()
    let look: @Sendable () async -> String = { [screen = cast.screen] in await screen() }
    backEnd.plan(ignoresCancels: ignoresCancels, immediately: ending, look: what == .screen ? look : nil)
    // Messages to `Logger.shared` and values for `AnalyticsTracker.shared` are recorded for this story only.
    let task = Logger.$redirection.withValue(singletonLog) {
      AnalyticsTracker.$redirection.withValue(singletonTracker) { start(what, number, cast, isCanceled: isCanceled) }
    }
    loads.append((what, task))
    return "\(what.inWords)\(isCanceled ? " in a canceled task" : "") (load \(number + 1))."
      + (ending.map { " It ends immediately with \($0.inWords(what))." } ?? "")
  }

  /// A load ends.
  func end(_ number: Int, with ending: LoadEnding) async -> String {
    recorder.beginEvent()
    await backEnd.end(number, with: ending)
    return "Load \(number + 1) ends with \(ending.inWords(loads[number].what))."
  }

  /// The task of a load is canceled.
  func cancel(_ number: Int, ignored isIgnored: Bool) -> String {
    recorder.beginEvent()
    loads[number].task.cancel()
    return "The task of load \(number + 1) is canceled. The back end "
      + (isIgnored ? "continues." : "throws a CancellationError.")
  }

  func advance(by seconds: TimeInterval) -> String {
    clock.advance(by: seconds)
    return "\(seconds) seconds pass."
  }

  func release() { cast = nil }

  private func start(_ what: Loaded, _ number: Int, _ cast: Cast, isCanceled: Bool) -> Task<Void, Never> {
    let results = results
    @Sendable func ended(_ result: String) { results.receive("load \(number + 1) \(result)") }
    return Task {
      if isCanceled { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        switch what {
        case .transactions: ended("returns \(try await cast.loadTransactions?().map(\.payee) ?? [])")
        case .items: ended("returns \(try await cast.loadItems?() ?? [])")
        case .screen:
          await cast.loadScreen?()
          ended("returns while the screen shows \(await cast.screen())")
        }
      } catch {
        ended("throws \(error.inWords)")
      }
    }
  }

  private func makeCast() async -> Cast {
    let backEnd = backEnd
    let loader = leaks.track(StoryLoader(backEnd), as: "the decoratee")
    let now = { [clock] in clock.readInstant() }
    switch subject {
    case .decorator:
      return await cast(LoggingTransactionsLoaderDecorator(decoratee: loader, logger: recorder, now: now))
    case .function:
      let load = Functional.logged(loader.loadTransactions, logger: recorder, now: now)
      let screen = leaks.track(await Functional.TransactionsListViewModel(load: load))
      return Cast(
        loadTransactions: load, loadScreen: screen.loadTransactions, screen: { .shown(screen.items, screen.message) })
    case .tracking:
      return Cast(loadItems: tracked(loader, by: recorder).loadItems)
    case .app(let context):
      let root = CompositionRoot(context: context, logger: recorder, tracker: recorder, now: now)
      // The root serves any number of loaders and services.
      let others = StoryLoader(StoryBackEnd())
      _ = (root.transactionsLoader(others), root.itemService(others))
      let remote = RemoteItemService { try await backEnd.values("items") }
      let service = root.itemService(remote)
      leaks.track(remote as AnyObject)
      leaks.track(service as AnyObject)
      var cast = await cast(root.transactionsLoader(loader))
      cast.loadItems = service.loadItems
      return cast
    }
  }

  /// A loader, and the view model that uses it. A solution may use structs, and a copy of one in a box leaks nothing.
  private func cast(_ loader: any TransactionsLoading) async -> Cast {
    leaks.track(loader as AnyObject)
    let screen = leaks.track(await Decorated.TransactionsListViewModel(loader: loader))
    return Cast(
      loadTransactions: loader.loadTransactions, loadScreen: screen.loadTransactions,
      screen: { .shown(screen.items, screen.message) })
  }
}

/// The end of a load: a number of values, 0 to 4, or a trouble.
typealias LoadEnding = Result<Int, Trouble>

extension LoadEnding {
  func inWords(_ what: World.Loaded) -> String {
    switch self {
    case .success(let count):
      count == 0 ? "no \(what.values)" : count == 1 ? "1 \(what.values.dropLast())" : "\(count) \(what.values)"
    case .failure(let trouble): trouble.inWords
    }
  }

  /// The values of a load. They are in no order, one of them repeats itself, and the next load but one may have the same.
  func values(of number: Int) throws -> [String] {
    let place = number % 2 + 1
    return try mapError(\.error).map { Array(["Tea \(place)", "Bread \(place)", "Tea \(place)", "Milk \(place)"].prefix($0)) }
      .get()
  }
}

extension String {
  static func shown(_ items: [TransactionsListItem], _ message: String?) -> String {
    shown(items.map(\.title), message)
  }

  static func shown(_ rows: [String], _ message: String?) -> String {
    "\(rows)\(message.map { " and the message \"\($0)\"" } ?? "")"
  }
}

/// A logger and tracker in memory.
private final class Recorder: Logging, Tracker, Sendable {
  let records = Inbox<String>()
  private let results: Inbox<String>
  /// The number of loads that had ended before the current event, which ends one load at most.
  private let ended = Locked(0)

  init(_ results: Inbox<String>) { self.results = results }

  func beginEvent() { ended.withLock { $0 = results.values.count } }

  func log(_ message: String) { record(#"logged: "\#(message)""#) }

  func track(values: [String]) { record("tracked: \(values)") }

  private func record(_ record: String) {
    records.receive(results.values.count > ended.withLock { $0 } ? "\(record) (after the load has ended)" : record)
  }
}

/// The back end. The story decides when each load ends.
private final class StoryBackEnd: Sendable {
  private struct Plan {
    var ignoresCancels = false
    var ending: LoadEnding?
    /// What the screen shows, if a screen loads.
    var look: (@Sendable () async -> String)?
  }

  /// What each load is about, oldest first.
  let begun = Inbox<String>()
  /// The numbers of the loads whose cancellation has arrived here.
  let canceled = Inbox<Int>()

  private let calls = AsyncCalls<Int, LoadEnding>(to: "the back end")
  private let next = Locked<(number: Int, plan: Plan)>((0, Plan()))

  /// Decides what the next load does when it is canceled, and whether it ends immediately.
  func plan(ignoresCancels: Bool, immediately ending: LoadEnding?, look: (@Sendable () async -> String)?) {
    next.withLock { $0.plan = Plan(ignoresCancels: ignoresCancels, ending: ending, look: look) }
  }

  func end(_ number: Int, with ending: LoadEnding) async {
    // A solution may have a function of its own called `eventually`.
    await TestSupport.eventually { calls.arguments.contains(number) }
    guard let index = calls.arguments.firstIndex(of: number) else { return }
    calls.complete(index, with: .success(ending))
  }

  /// Loads values of a kind.
  func values(_ kind: String) async throws -> [String] {
    let (number, plan) = next.withLock { next in
      defer { next = (next.number + 1, Plan()) }
      return next
    }
    let shown = await plan.look?()
    begun.receive("load \(number + 1) requests the \(kind)" + (shown.map { " while the screen shows \($0)" } ?? ""))
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

/// Loads transactions and items from the back end.
private final class StoryLoader: TransactionsLoading, ItemService {
  private let backEnd: StoryBackEnd

  init(_ backEnd: StoryBackEnd) {
    self.backEnd = backEnd
  }

  func loadTransactions() async throws -> [Transaction] {
    try await backEnd.values("transactions").enumerated().map { Transaction(payee: $1, cents: [-320, 250_005, -1895, 0][$0]) }
  }

  func loadItems() async throws -> [String] {
    try await backEnd.values("items")
  }
}

/// A logger in memory: an inbox of its messages.
extension Inbox: Logging where Value == String {
  public func log(_ message: String) {
    receive(message)
  }
}

/// A tracker in memory: an inbox of the values of each call.
extension Inbox: Tracker where Value == [String] {
  public func track(values: [String]) {
    receive(values)
  }
}
