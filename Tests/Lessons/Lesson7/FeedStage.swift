import Given
import TestSupport
import Testing

@testable import Exercise7

/// The composed feed screen, its user, and everything that can be observed.
///
/// Each event returns a sentence about it.
final class FeedStage {
  /// What the user does before the main queue runs anything else.
  enum Sequel: Sendable {
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

  /// Retains the screen. It is used on the main queue only.
  private final class Holder {
    var screen: FeedViewController?
  }

  /// Creates a stage with a screen that the user has not opened.
  ///
  /// - Parameter leaks: The tracker of everything that the learner's code may retain.
  init(_ leaks: LeakTracker) {
    loads = Loads(leaks)
    let loaders = leaks.track(Loaders(loads), as: "the loader")
    let screen = leaks.track(FeedUIComposer.feedComposedWith(feedLoader: loaders, imageLoader: loaders))
    (holder.screen, released) = (screen, screen)
    (refreshControl, listView, errorView) = (screen.refreshControl, screen.listView, screen.errorView)
  }

  deinit {
    // A story that goes wrong ends early. Its screen is released on the main queue anyway: its rows cancel their loads.
    DispatchQueue.main.async { [holder] in holder.screen = nil }
  }

  /// What has happened so far.
  var observed: [String] {
    let views: [View] = [refreshControl, listView, errorView] + images.withLock { $0.all }
    return loads.observed
      + loads.canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + (isLeft && released == nil ? ["the screen is released"] : [])
      + views.flatMap(\.writesOffMainQueue).map { "a view is changed off the main queue: \($0)" }
      + loads.notes.values
  }

  /// What the user sees now: nothing, after leaving.
  var shown: [String] { isLeft ? [] : onScreen }

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
    await settleAndCompare("`didRequestFeed`") { screen in
      if isFirst { screen?.loadViewIfNeeded() } else { screen?.pullToRefresh() }
    }
    return (isFirst ? "The user opens the screen" : "The user pulls to refresh") + " (load \(index + 1))."
      + inWords(early, .feed, index)
  }

  func appear(_ row: Int, early: Ending? = nil, afterCancel: Loads.AfterCancel) async -> String {
    let index = loads.count
    loads.prepare(afterCancel, early.map { Early(ending: $0) }, within: Patience.seconds / 2)
    await settleAndCompare("the call for load \(index + 1)") { [images] screen in
      guard let view = screen?.rowWillAppear(row) else { return }
      images.withLock { images in
        images.all.append(view)
        images.onScreen[row] = view
      }
    }
    return "Row \(row + 1) appears (load \(index + 1))." + inWords(early, .image, index)
  }

  func disappear(_ row: Int) async -> String {
    await settleAndCompare("`cancel()`") { $0?.rowDidDisappear(row) }
    return "Row \(row + 1) disappears."
  }

  func leave() async -> String {
    isLeft = true
    await settle("the release of the screen", on: .main) { [holder] in holder.screen = nil }
    return "The user leaves the screen."
  }

  func end(_ index: Int, with ending: Ending, at place: Place, then sequel: Sequel? = nil) async -> String {
    let seconds = Patience.seconds / 2
    if case .failure = ending {} else if loads.kind(index) == .feed { forgetRows() }
    if case .leaves? = sequel { isLeft = true }
    let sentence = "Load \(index + 1) ends with \(ending.inWords(loads.kind(index), index)), \(place.inWords)."
    let work = { [loads] in
      loads.run(at: place, within: seconds) { loads.end(index, with: ending) }
    }
    switch (place, sequel) {
    case (.mainQueue, nil): await settleAndCompare("the completion of load \(index + 1)") { _ in work() }
    case (_, nil): await settle("the completion of load \(index + 1)", on: place.queue, work)
    case (_, let sequel?):
      await settle("the completion of load \(index + 1)", on: .main) { [holder] in
        work()
        switch sequel {
        case .rowDisappears(let row): holder.screen?.rowDidDisappear(row)
        case .leaves: holder.screen = nil
        }
      }
    }
    return sentence + (sequel.map { " Before the main queue runs anything else, \($0.inWords)." } ?? "")
  }

  /// The rows on screen are about to be replaced.
  private func forgetRows() {
    images.withLock { $0.onScreen = [:] }
  }

  /// Performs work on the main queue. What it shows must be on the screen when it returns.
  private func settleAndCompare(_ name: String, _ work: @escaping (FeedViewController?) -> Void) async {
    let shownInTime = Inbox<[String]>()
    await settle(name, on: .main) { [self] in
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

extension FeedStage.Sequel {
  fileprivate var inWords: String {
    switch self {
    case .rowDisappears(let row): "row \(row + 1) disappears"
    case .leaves: "the user leaves the screen"
    }
  }
}

/// Plays a short story about the composed feed screen: see ``ShortStory``. If the user leaves in it, everything should be released.
///
/// - Parameters:
///   - rule: The rule that the story shows, as a sentence for the learner.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
func feedStory(
  _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (FeedScene) async -> Void
) async {
  await expectReleased(
    "The user has left, and all loads have ended, but something still retains a part of the screen. Follow the arrows in the page's diagram.",
    sourceLocation: sourceLocation
  ) { leaks in
    let scene = FeedScene(rule, leaks)
    await events(scene)
    if await !scene.end(sourceLocation) { leaks.forget() }
  }
}

/// The feed screen, and a short story about it. Loads and rows are counted from 1.
final class FeedScene {
  private let stage: FeedStage
  private let short: ShortStory
  private var isOpen = false

  fileprivate init(_ rule: String, _ leaks: LeakTracker) {
    let stage = FeedStage(leaks)
    self.stage = stage
    var (shown, changes) = (stage.shown, [String]())
    short = ShortStory(rule, setting: "The feed screen is composed.") {
      let now = stage.shown
      changes += now.filter { !shown.contains($0) }
      shown = now
      return stage.observed + changes
    }
  }

  /// The user opens the screen, or pulls to refresh. This should start a load.
  ///
  /// - Parameters:
  ///   - early: How the load ends before the call returns; `nil` if it ends later.
  ///   - effects: What else this leads to.
  ///   - place: The source location of issues.
  func requestFeed(
    endingEarly early: Ending? = nil, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let isFirst = !isOpen
    isOpen = true
    await short.play(leadingTo: ["load \(stage.loads.count + 1) requests the feed"] + effects, sourceLocation: place) {
      await stage.requestFeed(isFirst: isFirst, early: early)
    }
  }

  /// A row appears. This should start a load of its image.
  func appear(
    _ row: Int, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation
  ) async {
    let file = ["cat.jpg", "dog.jpg"][row - 1]
    await short.play(leadingTo: ["load \(stage.loads.count + 1) requests \(file)"] + effects, sourceLocation: place) {
      await stage.appear(row - 1, afterCancel: .endsSilently)
    }
  }

  func disappear(_ row: Int, leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    await short.play(leadingTo: effects, sourceLocation: place) { await stage.disappear(row - 1) }
  }

  func end(
    _ number: Int, on place: Place, leadsTo effects: String..., at sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await short.play(leadingTo: effects, sourceLocation: sourceLocation) {
      guard stage.loads.open.contains(number - 1) else { return "Load \(number) would end now, but it is no longer in flight." }
      return await stage.end(number - 1, with: .value, at: place)
    }
  }

  func leave(leadsTo effects: String..., at place: SourceLocation = #_sourceLocation) async {
    isOpen = false
    await short.play(leadingTo: ["the screen is released"] + effects, sourceLocation: place) { await stage.leave() }
  }

  /// Checks that nothing else happens, and leaves.
  ///
  /// - Returns: Whether everything should be released: the story was about that, and has not gone wrong.
  fileprivate func end(_ place: SourceLocation) async -> Bool {
    await mainQueueDrained()
    await short.play("Nothing else happens.", leadingTo: [], sourceLocation: place) {}
    if isOpen, !short.hasFailed { _ = await stage.leave() }
    return !isOpen && !short.hasFailed
  }
}
