import Given
import TestSupport
import Testing

import class Given.Locked
import class TestSupport.Inbox
import enum TestSupport.Place
import struct TestSupport.RandomEvent
import class TestSupport.Scenario

@testable import Exercise7

/// The composed feed screen, its user, and loaders that deliver on any queue.
final class FeedWorld: Scenario {
  private let loads = Loads()
  private let (refreshControl, listView, errorView): (RefreshControl, ListView, ErrorView)
  private let holder = Holder()
  private weak var released: FeedViewController?
  private var model = FeedModel()
  /// The image views of all rows that have appeared, and those of the rows on screen.
  private let images = Locked<(all: [ImageView], onScreen: [Int: ImageView])>(([], [:]))
  /// What the user saw at the last reading, and everything that had appeared on the screen by then.
  private let changes = Locked<(shown: [String], all: [String])>(([], []))

  /// Retains the screen. It is used on the main queue only.
  private final class Holder {
    var screen: FeedViewController?
  }

  /// Creates a world with a screen that the user has not opened.
  init() {
    let loaders = Loaders(loads)
    let screen = FeedUIComposer.feedComposedWith(feedLoader: loaders, imageLoader: loaders)
    (holder.screen, released) = (screen, screen)
    (refreshControl, listView, errorView) = (screen.refreshControl, screen.listView, screen.errorView)
    super.init(setting: "The feed screen is composed.")
    loads.leaks = leaks
    leaks.track(loaders, as: "the loader")
    leaks.track(screen)
    changes.withLock { $0.shown = onScreen }
  }

  deinit {
    // A story that goes wrong ends early. Its screen is released on the main queue anyway: its rows cancel their loads.
    DispatchQueue.main.async { [holder] in holder.screen = nil }
  }

  override var leakMessage: String {
    "The user has left, and all loads have ended, but something still retains a part of the screen. Follow the arrows in the page's diagram."
  }

  override var predicted: [String]? { model.effects }

  /// What has happened so far. Something that appears on the screen and disappears between two readings is not noticed.
  override func observed() async -> [String] {
    let views: [View] = [refreshControl, listView, errorView] + images.withLock { $0.all }
    // Whether a cancellation reaches the loader after its result is open.
    let canceled = loads.canceled.subtracting(model.canceledTooLate)
    return loads.observed
      + canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + (model.isLeft && released == nil ? ["the screen is released"] : [])
      + views.flatMap(\.writesOffMainQueue).map { "a view is changed off the main queue: \($0)" }
      + loads.notes.values + noteChanges()
  }

  /// Adds what is new on the screen since the last reading. After leaving, the user sees nothing.
  ///
  /// - Returns: Everything that has appeared so far.
  private func noteChanges() -> [String] {
    let shown = model.isLeft ? [] : onScreen
    return changes.withLock { changes in
      changes.all += shown.filter { !changes.shown.contains($0) }
      changes.shown = shown
      return changes.all
    }
  }

  private var onScreen: [String] {
    Self.inWords(rows: listView.rows, isLoading: refreshControl.isRefreshing, message: errorView.message)
      + images.withLock { $0.onScreen }.sorted { $0.key < $1.key }.map { row, view in
        Self.inWords(row: row, image: view.data.map { String(decoding: $0, as: UTF8.self) })
      }
  }

  static func inWords(rows: [String], isLoading: Bool, message: String?) -> [String] {
    [
      rows.isEmpty ? "there are no rows" : "the rows are \(rows)",
      "the indicator \(isLoading ? "runs" : "does not run")", message.map { "the error is \"\($0)\"" } ?? "there is no error",
    ]
  }

  static func inWords(row: Int, image: String?) -> String {
    "row \(row + 1) shows \(image.map { $0.isEmpty ? "an empty image" : $0 } ?? "no image")"
  }

  /// The user opens the screen, or pulls to refresh.
  ///
  /// - Parameter early: How the load ends on the main queue before the call returns; `nil` if it ends later.
  func requestFeed(
    early: Ending? = nil, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation
  ) async {
    guard !model.isLeft, !model.isLoading else { return impossible(at: location) }
    let (index, isFirst, seconds) = (model.begun.count, !model.isOpen, Deadline.seconds / 2)
    model.requestFeed()
    if let early { model.end(index, with: early) }
    model.noteChanges()
    let sentence = isFirst ? "The user opens the screen" : "The user pulls to refresh"
    await event("\(sentence) (load \(index + 1)).\(inWords(early, .feed, index))", leadsToAllOf: listed, at: location) {
      if let early, !early.isFailure { forgetRows() }
      loads.prepare(early: early, within: seconds)
      await performAndCompare("`didRequestFeed`") { screen in
        if isFirst { screen?.loadViewIfNeeded() } else { screen?.pullToRefresh() }
      }
    }
  }

  /// A row appears.
  ///
  /// - Parameters:
  ///   - row: The index of the row.
  ///   - early: How its load ends on the main queue before the call returns; `nil` if it ends later.
  func appear(
    _ row: Int, early: Ending? = nil, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation
  ) async {
    guard model.hidden.contains(row) else { return impossible(at: location) }
    let (index, seconds) = (model.begun.count, Deadline.seconds / 2)
    model.appear(row)
    if let early { model.end(index, with: early) }
    model.noteChanges()
    let sentence = "Row \(row + 1) appears (load \(index + 1)).\(inWords(early, .image, index))"
    await event(sentence, leadsToAllOf: listed, at: location) {
      loads.prepare(early: early, within: seconds)
      await performAndCompare("the call for load \(index + 1)") { [images] screen in
        guard let view = screen?.rowWillAppear(row) else { return }
        images.withLock { images in
          images.all.append(view)
          images.onScreen[row] = view
        }
      }
    }
  }

  func disappear(_ row: Int, leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard model.visible.contains(row) else { return impossible(at: location) }
    model.disappear(row)
    model.noteChanges()
    await event("Row \(row + 1) disappears.", leadsToAllOf: listed, at: location) {
      await performAndCompare("`cancel()`") { $0?.rowDidDisappear(row) }
    }
  }

  func leave(leadsToAllOf listed: [String] = [], at location: SourceLocation = #_sourceLocation) async {
    guard !model.isLeft else { return impossible(at: location) }
    model.leave()
    model.noteChanges()
    await event("The user leaves the screen.", leadsToAllOf: listed, at: location) {
      await performWithHops("the release of the screen", on: .main) { [holder] in holder.screen = nil }
    }
  }

  /// A load ends.
  ///
  /// - Parameters:
  ///   - index: The index of the load.
  ///   - ending: How it ends.
  ///   - place: Where it ends.
  func end(
    _ index: Int = 0, with ending: Ending = .value, on place: Place, leadsToAllOf listed: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async {
    guard open.contains(index) else { return impossible(at: location) }
    model.end(index, with: ending)
    model.noteChanges()

    let kind = loads.kind(index)
    let sentence = "Load \(index + 1) ends with \(ending.inWords(kind, index)), \(place.inWords)."
    let seconds = Deadline.seconds / 2
    await event(sentence, leadsToAllOf: listed, at: location) {
      if kind == .feed, !ending.isFailure { forgetRows() }
      let name = "the completion of load \(index + 1)"
      let work = { [loads] in
        loads.run(at: place, within: seconds) { loads.end(index, with: ending) }
      }
      if place == .mainQueue {
        await performAndCompare(name) { _ in work() }
      } else {
        await performWithHops(name, on: place.queue, work)
      }
    }
  }

  override func nextEnding() -> (() async -> Void)? {
    if let index = open.first, model.isLeft { return { await self.end(index, on: .otherQueue) } }
    if model.isLeft { return nil }
    if !isTold { return { await self.leave() } }
    // If the user never leaves, the story is not about the release.
    leaks.forget()
    return nil
  }

  /// The indexes of the loads that have not ended.
  private var open: [Int] { loads.open.filter(model.begun.indices.contains) }

  /// The rows on screen are about to be replaced.
  private func forgetRows() {
    images.withLock { $0.onScreen = [:] }
  }

  /// Performs work on the main queue. What it shows must be on the screen when it returns.
  private func performAndCompare(_ name: String, _ work: @escaping (FeedViewController?) -> Void) async {
    let shownInTime = Inbox<[String]>()
    await performWithHops(name, on: .main) { [self] in
      work(holder.screen)
      shownInTime.receive(onScreen)
    }
    // Work that is stuck may still change the screen.
    guard let shownInTime = shownInTime.values.first else { return }
    for change in onScreen where !shownInTime.contains(change) { loads.notes.receive("\(change), but only after a hop") }
  }

  private func inWords(_ early: Ending?, _ kind: Kind, _ index: Int) -> String {
    early.map { " Before the call returns, load \(index + 1) ends with \($0.inWords(kind, index)), on the main queue." } ?? ""
  }
}

extension FeedWorld {
  static var randomEvents: [RandomEvent<FeedWorld>] {
    func early(using random: inout SeededRandom) -> Ending? {
      Int.random(in: 0..<4, using: &random) == 3 ? .random(using: &random) : nil
    }
    return [
      RandomEvent(47) { world, random in await world.requestFeed(early: early(using: &random)) },
      RandomEvent(72) { world, random in
        guard let row = world.model.hidden.at(.random(in: 0..<6, using: &random)) else { return }
        await world.appear(row, early: early(using: &random))
      },
      RandomEvent(24) { world, random in
        guard let row = world.model.visible.at(.random(in: 0..<6, using: &random)) else { return }
        await world.disappear(row)
      },
      RandomEvent(96) { world, random in
        guard let index = world.open.at(.random(in: 0..<6, using: &random)) else { return }
        await world.end(index, with: .random(using: &random), on: Place.allCases.randomElement(using: &random)!)
      },
      // After the user has left, not much can happen.
      RandomEvent(1) { world, _ in await world.leave() },
    ]
  }
}
