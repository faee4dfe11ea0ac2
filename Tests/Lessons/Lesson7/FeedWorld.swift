import Given
import TestSupport
import Testing

@testable import Exercise7

/// The composed feed screen, its user, and everything that can be observed.
///
/// Each event returns a sentence about it.
final class FeedWorld {
  /// What the user does before the main queue runs anything else. The number is the index of a row, or, in an event of a story, a
  /// position.
  enum FollowUp: Sendable {
    case rowDisappears(Int)
    case leaves
  }

  let loads: Loads
  private let (refreshControl, listView, errorView): (RefreshControl, ListView, ErrorView)
  private let holder = Holder()
  private weak var released: FeedViewController?
  /// Whether the user has left. Changed between events only.
  private var isLeft = false
  /// The image views of all rows that have appeared, and those of the rows on screen.
  private let images = Locked<(all: [ImageView], onScreen: [Int: ImageView])>(([], [:]))
  /// What the user saw at the last reading, and everything that had appeared on the screen by then.
  private let changes = Locked<(shown: [String], all: [String])>(([], []))

  /// Retains the screen. It is used on the main queue only.
  private final class Holder {
    var screen: FeedViewController?
  }

  /// Creates a world with a screen that the user has not opened.
  ///
  /// - Parameter leaks: The tracker of everything that the learner's code may retain.
  init(_ leaks: LeakTracker) {
    loads = Loads(leaks)
    let loaders = leaks.track(Loaders(loads), as: "the loader")
    let screen = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: loaders, imageLoader: loaders))
    (holder.screen, released) = (screen, screen)
    (refreshControl, listView, errorView) = (screen.refreshControl, screen.listView, screen.errorView)
    changes.withLock { $0.shown = onScreen }
  }

  deinit {
    // A story that goes wrong ends early. Its screen is released on the main queue anyway: its rows cancel their loads.
    DispatchQueue.main.async { [holder] in holder.screen = nil }
  }

  /// What has happened so far. Something that appears on the screen and disappears between two readings is not noticed.
  var observed: [String] {
    let views: [View] = [refreshControl, listView, errorView] + images.withLock { $0.all }
    return loads.observed
      + loads.canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + (isLeft && released == nil ? ["the screen is released"] : [])
      + views.flatMap(\.writesOffMainQueue).map { "a view is changed off the main queue: \($0)" }
      + loads.notes.values + noteChanges()
  }

  /// Adds what is new on the screen since the last reading. After leaving, the user sees nothing.
  ///
  /// - Returns: Everything that has appeared so far.
  private func noteChanges() -> [String] {
    let shown = isLeft ? [] : onScreen
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
  func requestFeed(isFirst: Bool, early: Ending? = nil) async -> String {
    let index = loads.count
    if case .failure? = early {} else if early != nil { forgetRows() }
    loads.prepare(.continues, early.map { Early(ending: $0) }, within: Patience.seconds / 2)
    await performAndCompare("`didRequestFeed`") { screen in
      if isFirst { screen?.loadViewIfNeeded() } else { screen?.pullToRefresh() }
    }
    return (isFirst ? "The user opens the screen" : "The user pulls to refresh") + " (load \(index + 1))."
      + inWords(early, .feed, index)
  }

  func appear(_ row: Int, early: Ending? = nil, afterCancel: Loads.AfterCancel) async -> String {
    let index = loads.count
    loads.prepare(afterCancel, early.map { Early(ending: $0) }, within: Patience.seconds / 2)
    await performAndCompare("the call for load \(index + 1)") { [images] screen in
      guard let view = screen?.rowWillAppear(row) else { return }
      images.withLock { images in
        images.all.append(view)
        images.onScreen[row] = view
      }
    }
    return "Row \(row + 1) appears (load \(index + 1))." + inWords(early, .image, index)
  }

  func disappear(_ row: Int) async -> String {
    await performAndCompare("`cancel()`") { $0?.rowDidDisappear(row) }
    return "Row \(row + 1) disappears."
  }

  func leave() async -> String {
    isLeft = true
    await performWithHops("the release of the screen", on: .main) { [holder] in holder.screen = nil }
    return "The user leaves the screen."
  }

  func end(_ index: Int, with ending: Ending, at place: Place, then next: FollowUp? = nil) async -> String {
    let seconds = Patience.seconds / 2
    if case .failure = ending {} else if loads.kind(index) == .feed { forgetRows() }
    if case .leaves? = next { isLeft = true }
    let sentence = "Load \(index + 1) ends with \(ending.inWords(loads.kind(index), index)), \(place.inWords)."
    let work = { [loads] in
      loads.run(at: place, within: seconds) { loads.end(index, with: ending) }
    }
    switch (place, next) {
    case (.mainQueue, nil): await performAndCompare("the completion of load \(index + 1)") { _ in work() }
    case (_, nil): await performWithHops("the completion of load \(index + 1)", on: place.queue, work)
    case (_, let next?):
      await performWithHops("the completion of load \(index + 1)", on: .main) { [holder] in
        work()
        switch next {
        case .rowDisappears(let row): holder.screen?.rowDidDisappear(row)
        case .leaves: holder.screen = nil
        }
      }
    }
    return sentence + (next.map { " Before the main queue runs anything else, \($0.inWords)." } ?? "")
  }

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

extension FeedWorld.FollowUp {
  fileprivate var inWords: String {
    switch self {
    case .rowDisappears(let row): "row \(row + 1) disappears"
    case .leaves: "the user leaves the screen"
    }
  }
}
