import Given
import TestSupport
import Testing

import class TestSupport.AsyncCalls
import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import enum TestSupport.SampleError
import class TestSupport.Scenario

@testable import Exercise8

/// The learner's decorators, the back end behind them, and what can happen to a load.
final class World: Scenario {
  /// What a story is about.
  enum Subject {
    /// The logging decorator, and its view model.
    case decorator
    /// The logging function, and its view model.
    case function
    /// Everything, as the composition root makes it.
    case app(CompositionRoot.Context)
  }

  /// What is loaded, and by whom.
  enum Loaded: String, CaseIterable {
    case transactions = "A load of the transactions starts"
    case screen = "The screen starts a load of the transactions"
    case items = "A load of the items starts"

    var values: String { self == .items ? "items" : "transactions" }
  }

  // The objects under test, and what surrounds them.
  private let clock = ManualClock()
  private let recorder = Recorder()
  private let (sharedLog, sharedTracker) = (Inbox<String>(), Inbox<[String]>())
  private let results = Inbox<String>()
  /// The argument of each call says what is requested.
  private let backEnd = AsyncCalls<String, [String]>(to: "the back end", endsWhenCanceled: false)
  private var loadTransactions: LoadTransactions?
  private var loadItems: (() async throws -> [String])?
  private var makeScreen: (@MainActor () -> any Screen)?
  private var screen: (any Screen)?
  private var tasks: [Task<Void, Never>] = []

  // What the page promises.
  private let (logs, tracks): (Bool, Bool)
  private var loads: [(what: Loaded, start: ContinuousClock.Instant, isOpen: Bool, isCanceled: Bool)] = []
  private var (rows, message): ([String], String?) = ([], nil)
  private var effects: [String] = []

  init(_ subject: Subject) {
    let (recorder, now) = (recorder, clock.readInstant)
    let setting: String
    let decorate: (any TransactionsLoading) -> any TransactionsLoading
    var track: (any ItemService) -> any ItemService = { $0 }
    switch subject {
    case .decorator:
      setting = "A logging decorator wraps the transaction loader."
      (logs, tracks) = (true, false)
      decorate = { LoggingTransactionsLoaderDecorator(decoratee: $0, logger: recorder, now: now) }
    case .function:
      setting = "The function `logged` wraps the transaction loader."
      (logs, tracks) = (true, false)
      decorate = { LoaderStub(load: Functional.logged($0.loadTransactions, logger: recorder, now: now)) }
    case .app(let context):
      setting = "The app runs in the context `.\(context)`."
      (logs, tracks) = (context == .debug, context != .tests)
      let root = CompositionRoot(context: context, logger: recorder, tracker: recorder, now: now)
      decorate = root.transactionsLoader
      track = { root.itemService(RemoteItemService(fetch: $0.loadItems)) }
    }
    super.init(setting: setting)

    // The app may have any number of loaders and services.
    loadTransactions = decorate(decoratee { "transactions" }).loadTransactions
    let loader = decorate(
      decoratee { [weak self] in "transactions while the screen shows \(await self?.screen?.shown ?? "nothing")" })
    let load = loader.loadTransactions
    makeScreen = { Decorated.TransactionsListViewModel(loader: loader) }
    if case .function = subject { makeScreen = { Functional.TransactionsListViewModel(load: load) } }
    _ = track(ItemServiceStub { [] })
    let service = ItemServiceStub { [backEnd] in try await backEnd.receive("items") }
    loadItems = track(leaks.track(service, as: "the decoratee")).loadItems
  }

  private func decoratee(_ request: @escaping () async -> String) -> LoaderStub {
    let loader = LoaderStub { [backEnd] in
      let payees = try await backEnd.receive(request())
      return zip(payees, [-320, 250_005, -1895, 0]).map { Transaction(payee: $0, cents: $1) }
    }
    return leaks.track(loader, as: "the decoratee")
  }

  /// A load starts, in a task of its own.
  ///
  /// - Parameters:
  ///   - what: What is loaded, and by whom.
  ///   - isCanceled: Whether the task is canceled before the load starts.
  func load(
    _ what: Loaded, isCanceled: Bool = false, leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    loads.append((what, clock.now, isOpen: true, isCanceled: false))
    let number = loads.count
    let look = what == .screen ? " while the screen shows \(String.shown(rows, message))" : ""
    effects.append("load \(number) requests the \(what.values)\(look)")
    if isCanceled { expectCancellation(of: number - 1) }
    await event(
      "\(what.rawValue)\(isCanceled ? " in a canceled task" : "") (load \(number)).", leadsToAllOf: listed, at: place
    ) {
      if what == .screen, screen == nil {
        screen = await makeScreen?()
        leaks.track(screen as AnyObject)
      }
      // Messages to `Logger.shared` and values for `AnalyticsTracker.shared` are recorded for this story only.
      Logger.$redirection.withValue(sharedLog) {
        AnalyticsTracker.$redirection.withValue(sharedTracker) { tasks.append(start(what, number, isCanceled: isCanceled)) }
      }
    }
  }

  private func start(_ what: Loaded, _ number: Int, isCanceled: Bool) -> Task<Void, Never> {
    Task { [results, loadTransactions, loadItems, screen] in
      if isCanceled { withUnsafeCurrentTask { $0?.cancel() } }
      func ended(_ result: String) { results.receive("load \(number) \(result)") }
      do {
        switch what {
        case .transactions: ended("returns \(try await loadTransactions?().map(\.payee) ?? [])")
        case .items: ended("returns \(try await loadItems?() ?? [])")
        case .screen:
          await screen?.loadTransactions()
          ended("returns while the screen shows \(await screen?.shown ?? "nothing")")
        }
      } catch {
        ended("throws \(error.inWords)")
      }
    }
  }

  /// A load ends.
  ///
  /// - Parameters:
  ///   - position: Its position among those that have not ended.
  ///   - ending: How it ends.
  func end(
    _ position: Int = 0, with ending: LoadEnding, leadsToAllOf listed: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let index = loads.indices.filter({ loads[$0].isOpen }).at(position) else { return impossible(at: place) }
    expectEnd(of: index, with: ending)
    await event(
      "Load \(index + 1) ends with \(ending.inWords(loads[index].what)).", leadsToAllOf: listed, at: place
    ) {
      backEnd.complete(index, with: Result { try ending.values(of: index) })
    }
  }

  /// The task of a load is canceled.
  ///
  /// - Parameter position: Its position among those that have neither ended nor been canceled.
  func cancel(
    _ position: Int = 0, leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let candidates = loads.indices.filter { loads[$0].isOpen && !loads[$0].isCanceled }
    guard let index = candidates.at(position) else { return impossible(at: place) }
    expectCancellation(of: index)
    await event("The task of load \(index + 1) is canceled. The back end continues.", leadsToAllOf: listed, at: place) {
      tasks[index].cancel()
    }
  }

  func advance(by seconds: TimeInterval, at place: SourceLocation = #_sourceLocation) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass.", at: place)
  }

  override func observed() async -> [String] {
    backEnd.arguments.enumerated().map { "load \($0 + 1) requests the \($1)" }
      + backEnd.cancelled.map { "the cancellation of load \($0 + 1) reaches the back end" }
      + recorder.records.values
      + sharedLog.values.map { #"logged by `Logger.shared`: "\#($0)""# }
      + sharedTracker.values.map { "tracked by `AnalyticsTracker.shared`: \($0)" } + results.values
  }

  /// Each message needs the time twice.
  override func remark(on differences: [String]) -> String? {
    let messages = recorder.records.values.count { $0.hasPrefix("logged: ") }
    return clock.remark(on: differences, about: "logged: ", requiring: 2 * messages)
  }

  override func release() async { (loadTransactions, loadItems, makeScreen, screen) = (nil, nil, nil, nil) }

  override func nextEnding() -> (() async -> Void)? {
    loads.contains(where: \.isOpen) ? { await self.end(with: .success(2)) } : nil
  }

  override var leakMessage: String {
    "All loads have ended, but something still retains the loader, the service, or the screen."
  }

  // MARK: What the page promises

  override var predicted: [String]? { effects }

  private func expectCancellation(of index: Int) {
    loads[index].isCanceled = true
    effects.append("the cancellation of load \(index + 1) reaches the back end")
  }

  private func expectEnd(of index: Int, with ending: LoadEnding) {
    loads[index].isOpen = false
    let (what, duration) = (loads[index].what, loads[index].start.duration(to: clock.now))
    var result: String
    do {
      let values = try ending.values(of: index)
      if what == .items, tracks { effects.append("tracked: \(values)") }
      if what != .items, logs { effects.append(logged(LoadMessage.loaded(values.count, in: duration))) }
      if what == .screen { (rows, message) = (values, nil) }
      result = "returns \(values)"
    } catch {
      if what != .items, logs { effects.append(logged(LoadMessage.failed(after: duration))) }
      if what == .screen { message = error.localizedDescription }
      result = "throws \(error.inWords)"
    }
    if what == .screen { result = "returns while the screen shows \(String.shown(rows, message))" }
    effects.append("load \(index + 1) \(result)")
  }
}

extension World {
  /// What can happen in a random story.
  ///
  /// - Parameter kinds: What is loaded.
  static func randomEvents(loading kinds: [Loaded] = Loaded.allCases) -> [RandomEvent<World>] {
    [
      RandomEvent(4) { world, random in
        await world.load(kinds.randomElement(using: &random)!, isCanceled: Int.random(in: 0..<6, using: &random) == 5)
      },
      RandomEvent(4) { world, random in
        let trouble = SampleError.random(using: &random)
        let ending: LoadEnding = Bool.random(using: &random) ? .failure(trouble) : .success(.random(in: 0...4, using: &random))
        await world.end(.random(in: 0..<6, using: &random), with: ending)
      },
      RandomEvent(1) { world, random in await world.cancel(.random(in: 0..<6, using: &random)) },
      RandomEvent(3) { world, random in
        await world.advance(by: [1.5, 0.0004, 0.1250004, 60].randomElement(using: &random)!)
      },
    ]
  }
}

/// The end of a load: a number of values, 0 to 4, or a trouble.
typealias LoadEnding = Result<Int, SampleError>

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

/// What both view models of the learner have in common.
@MainActor
protocol Screen: AnyObject {
  var items: [TransactionsListItem] { get }
  var message: String? { get }
  func loadTransactions() async
}

extension Decorated.TransactionsListViewModel: Screen {}
extension Functional.TransactionsListViewModel: Screen {}

extension Screen {
  var shown: String { .shown(items.map(\.title), message) }
}

/// A logger and tracker in memory.
private final class Recorder: Logging, Tracker, Sendable {
  let records = Inbox<String>()

  func log(_ message: String) { records.receive(logged(message)) }

  func track(values: [String]) { records.receive("tracked: \(values)") }
}

/// The effect of a message to the injected logger.
func logged(_ message: String) -> String { #"logged: "\#(message)""# }

extension String {
  static func shown(_ rows: [String], _ message: String?) -> String {
    "\(rows)\(message.map { " and the message \"\($0)\"" } ?? "")"
  }
}
