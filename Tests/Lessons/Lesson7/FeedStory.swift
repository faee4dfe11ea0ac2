import Given
import TestSupport

@testable import Exercise7

/// A story about the composed feed screen, its user, and loaders that deliver on any queue.
final class FeedStory: Story {
  enum Event: Sendable {
    case requestFeed(early: LoadEnding?)
    case appear(Int, early: LoadEnding?, onCancel: StoryLoads.AfterCancel)
    case disappear(Int)
    case end(Int, LoadEnding, Place, then: Reaction)
    case leave
  }

  /// Where a loader calls a completion.
  enum Place: CaseIterable, Sendable {
    case mainQueue, backgroundQueue, whileTheMainQueueWaits
  }

  /// What the user does before the main queue runs anything else.
  enum Reaction: Sendable {
    case nothing
    case rowDisappears(Int)
    case leaves
  }

  static func event(using random: inout SeededRandom) -> Event {
    let ending = LoadEnding.any(using: &random)
    let isEarly = Int.random(in: 0..<4, using: &random) == 0
    let position = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: return .requestFeed(early: isEarly ? ending : nil)
    case 5..<10:
      return .appear(
        position, early: isEarly ? ending : nil, onCancel: StoryLoads.AfterCancel.allCases.randomElement(using: &random)!)
    case 10..<12: return .disappear(position)
    case 12..<19:
      return .end(
        position, ending, Place.allCases.randomElement(using: &random)!,
        then: [.nothing, .nothing, .nothing, .rowDisappears(position), .leaves].randomElement(using: &random)!)
    default: return .leave
    }
  }

  var leaks: LeakTracker { loads.leaks }
  private let loads: StoryLoads
  private let refreshControl: RefreshControl
  private let listView: ListView
  private let errorView: ErrorView
  private let holder = Holder()
  private weak var released: FeedViewController?
  private var model = FeedModel()
  /// The image views of the rows that have appeared, by the rows' identity in the model.
  private let images = Locked<[Int: ImageView]>([:])
  private let complaints = Locked<[String]>([])

  /// Retains the screen. It is used on the main queue only.
  private final class Holder {
    var screen: FeedViewController?
  }

  init(using random: inout SeededRandom) {
    loads = StoryLoads()
    let services = loads.leaks.track(StoryServices(loads))
    let screen = loads.leaks.track(FeedUIComposer.feedComposedWith(feedLoader: services, imageLoader: services))
    (holder.screen, released) = (screen, screen)
    (refreshControl, listView, errorView) = (screen.refreshControl, screen.listView, screen.errorView)
  }

  deinit {
    // A story that goes wrong ends early. Its screen is released on the main queue anyway: its rows cancel their loads.
    DispatchQueue.main.async { [holder] in holder.screen = nil }
  }

  let setting = ["The feed screen is composed."]

  func play(_ event: Event) async -> String? {
    guard !loads.isSilent else { return nil }
    return switch event {
    case .requestFeed(let ending): await requestFeed(early: ending)
    case .appear(let row, let ending, let afterCancel): await appear(row, early: ending, onCancel: afterCancel)
    case .disappear(let row): await disappear(row)
    case .end(let position, let ending, let place, let reaction): await end(position, with: ending, in: place, then: reaction)
    case .leave: await leave()
    }
  }

  var expected: [String] {
    if loads.isSilent { return [] }
    return model.begun.enumerated().map { "load \($0.offset + 1) requests \($0.element)" }
      + model.canceled.map { "the cancellation of load \($0 + 1) reaches the image loader" }
      + (model.isGone ? [] : model.screen)
  }

  var observed: [String] {
    if loads.isSilent { return [] }
    let views: [View] = [refreshControl, listView, errorView] + images.withLock { Array($0.values) }
    return loads.begun.enumerated().map { "load \($0.offset + 1) requests \($0.element)" }
      + loads.canceled.filter { !model.canceledTooLate.contains($0) }.map {
        "the cancellation of load \($0 + 1) reaches the image loader"
      }
      + (model.isGone ? [] : shown)
      + (model.isGone && released != nil ? ["something still retains the screen"] : [])
      + views.flatMap(\.writesOffMainQueue).map { "updated on another queue: \($0)" }
      + complaints.withLock { $0 }
  }

  func release() -> String? { nil }

  func nextEnding() -> Event? {
    guard model.isGone else { return .leave }
    return loads.open.isEmpty ? nil : .end(0, .value, .backgroundQueue, then: .nothing)
  }

  private var shown: [String] {
    FeedModel.inWords(rows: listView.rows, isLoading: refreshControl.isRefreshing, message: errorView.message)
      + model.rows.enumerated().compactMap { index, row in
        images.withLock { $0[row.id] }.map { view in
          FeedModel.inWords(row: index, image: view.data.map { String(decoding: $0, as: UTF8.self) })
        }
      }
  }
}

// What happens, to the screen and to the model.
extension FeedStory {
  private func requestFeed(early ending: LoadEnding?) async -> String? {
    guard !model.isGone, !model.isLoading else { return nil }
    let isFirst = !model.isShown
    let number = model.begun.count
    loads.prepare(
      number, onCancel: .continues, onArrival: ending.map { ending in { [loads] in loads.end(number, with: ending) } })
    model.requestFeed()
    if let ending { model.end(number, with: ending) }
    await runOnMainQueue { [self] in
      if isFirst { holder.screen?.loadViewIfNeeded() } else { holder.screen?.pullToRefresh() }
      checkScreen()
    }
    return (isFirst ? "The user opens the screen" : "The user pulls to refresh")
      + " (load \(number + 1)).\(inWords(early: ending))"
  }

  private func appear(_ position: Int, early ending: LoadEnding?, onCancel afterCancel: StoryLoads.AfterCancel) async -> String? {
    guard !model.isGone, !model.rows.isEmpty else { return nil }
    let row = position % model.rows.count
    guard model.rows[row].load == nil else { return nil }
    let (number, id) = (model.begun.count, model.rows[row].id)
    loads.prepare(
      number, onCancel: afterCancel, onArrival: ending.map { ending in { [loads] in loads.end(number, with: ending) } })
    model.appear(row)
    if let ending { model.end(number, with: ending) }
    await runOnMainQueue { [self] in
      let view = holder.screen?.rowWillAppear(row)
      images.withLock { $0[id] = view }
      checkScreen()
    }
    return "Row \(row + 1) appears (load \(number + 1)).\(inWords(early: ending))"
  }

  private func disappear(_ position: Int) async -> String? {
    let visible = model.visible
    guard !model.isGone, !visible.isEmpty else { return nil }
    let row = visible[position % visible.count]
    model.disappear(row)
    await runOnMainQueue { [self] in holder.screen?.rowDidDisappear(row) }
    return "Row \(row + 1) disappears."
  }

  private func end(_ position: Int, with ending: LoadEnding, in place: Place, then reaction: Reaction) async -> String? {
    let open = loads.open.filter(model.begun.indices.contains)
    guard !open.isEmpty else { return nil }
    let number = open[position % open.count]
    var told = ""
    var react: () -> Void = {}
    if place == .mainQueue { model.end(number, with: ending) }
    let isShownNow = place == .mainQueue && !model.isGone
    switch reaction {
    case .rowDisappears(let position) where place != .backgroundQueue && !model.isGone && !model.visible.isEmpty:
      let row = model.visible[position % model.visible.count]
      model.disappear(row)
      told = " In the same block of the main queue, row \(row + 1) then disappears."
      react = { [self] in holder.screen?.rowDidDisappear(row) }
    case .leaves where place != .backgroundQueue && !model.isGone:
      model.leave()
      told = " In the same block of the main queue, the user then leaves."
      react = { [self] in holder.screen = nil }
    default: break
    }
    if place != .mainQueue { model.end(number, with: ending) }
    let end = { [loads] in loads.end(number, with: ending) }
    switch place {
    case .mainQueue:
      await runOnMainQueue { [self] in
        end()
        if isShownNow, told.isEmpty { checkScreen() }
        react()
      }
    case .backgroundQueue:
      if !(await returns(end)) { complain("the decorator's completion has not returned") }
      // A hop that shows something by mistake belongs to this event, not to the next one.
      await runOnMainQueue {}
    case .whileTheMainQueueWaits:
      await runOnMainQueue { [self] in
        waitFor(end)
        react()
      }
    }
    return "Load \(number + 1) ends with \(inWords(ending)), \(place.inWords).\(told)"
  }

  private func leave() async -> String? {
    guard !model.isGone else { return nil }
    model.leave()
    await runOnMainQueue { [self] in holder.screen = nil }
    return "The user leaves the screen."
  }

  /// Checks that the screen shows a result that has arrived on the main queue.
  private func checkScreen() {
    if shown.sorted() != model.screen.sorted() { complain("the screen shows a change only after a hop, or not at all") }
  }

  private func inWords(early ending: LoadEnding?) -> String {
    ending.map { " Before the call returns, the load ends with \(inWords($0))." } ?? ""
  }

  private func inWords(_ ending: LoadEnding) -> String {
    switch ending {
    case .value: "a unique value"
    case .emptyValue: "an empty value"
    case .failure(let failure): failure.inWords
    }
  }

  private func complain(_ complaint: String) {
    complaints.withLock { $0.append(complaint) }
  }

  private func runOnMainQueue(_ work: @escaping () -> Void) async {
    if !(await loads.runOnMainQueue(work)) { complain("the main queue is blocked") }
  }

  /// Runs work on another queue, and lets the current queue wait for it, with a deadline.
  private func waitFor(_ work: @escaping () -> Void) {
    if !loads.returnsOnAnotherQueue(work) { complain("the loader's queue waits for the main queue") }
  }
}

extension FeedStory.Place {
  fileprivate var inWords: String {
    switch self {
    case .mainQueue: "on the main queue"
    case .backgroundQueue: "on a background queue"
    case .whileTheMainQueueWaits: "on another queue while the main queue is waiting for that queue"
    }
  }
}

/// What the page promises, as plain values.
struct FeedModel {
  struct Row {
    let id: Int
    let title: String
    let file: String
    var hasAppeared = false
    var image: String?
    /// The load of the visible row; it may have ended.
    var load: Int?
  }

  private(set) var isShown = false
  private(set) var isGone = false
  private(set) var isLoading = false
  private(set) var rows: [Row] = []
  /// What each load is about, oldest first.
  private(set) var begun: [String] = []
  private(set) var canceled: Set<Int> = []
  /// Whether such a cancellation reaches the loader is open.
  private(set) var canceledTooLate: Set<Int> = []
  private var message: String?
  private var ended: Set<Int> = []

  var visible: [Int] { rows.indices.filter { rows[$0].load != nil } }

  /// What the user sees.
  var screen: [String] {
    Self.inWords(rows: rows.map(\.title), isLoading: isLoading, message: message)
      + rows.indices.filter { rows[$0].hasAppeared }.map { Self.inWords(row: $0, image: rows[$0].image) }
  }

  mutating func requestFeed() {
    begun.append("the feed")
    (isShown, isLoading, message) = (true, true, nil)
  }

  mutating func appear(_ row: Int) {
    rows[row].hasAppeared = true
    rows[row].load = begun.count
    begun.append(rows[row].file)
  }

  mutating func disappear(_ row: Int) {
    guard let load = rows[row].load else { return }
    rows[row].load = nil
    if ended.contains(load) { canceledTooLate.insert(load) } else { canceled.insert(load) }
  }

  mutating func leave() {
    for row in rows.indices { disappear(row) }
    isGone = true
  }

  mutating func end(_ load: Int, with ending: LoadEnding) {
    guard !isGone, !canceled.contains(load) else { return }
    ended.insert(load)
    if begun[load] == "the feed" {
      isLoading = false
      switch ending {
      case .failure(let failure): message = failure.error.localizedDescription
      case .value:
        replaceRows(with: [
          Row(id: 2 * load, title: "the value of load \(load + 1)", file: "cat.jpg"),
          Row(id: 2 * load + 1, title: FeedImage.dog.title, file: "dog.jpg"),
        ])
      case .emptyValue: replaceRows(with: [])
      }
    } else if let row = rows.firstIndex(where: { $0.load == load }) {
      switch ending {
      case .failure: break
      case .value: rows[row].image = "the value of load \(load + 1)"
      case .emptyValue: rows[row].image = ""
      }
    }
  }

  /// The screen releases the previous rows, and each of them cancels its load.
  private mutating func replaceRows(with new: [Row]) {
    for row in rows.indices { disappear(row) }
    rows = new
  }

  static func inWords(rows: [String], isLoading: Bool, message: String?) -> [String] {
    [
      "the rows are \(rows)", "the indicator \(isLoading ? "runs" : "has stopped")",
      message.map { "the error message is \($0)" } ?? "there is no error message",
    ]
  }

  static func inWords(row: Int, image: String?) -> String {
    "row \(row + 1) shows \(image.map { $0.isEmpty ? "an empty image" : $0 } ?? "no image")"
  }
}
