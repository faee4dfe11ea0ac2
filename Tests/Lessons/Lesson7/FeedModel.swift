import Given
import TestSupport

/// What the page promises, as plain values.
struct FeedModel {
  struct Row {
    let title: String
    let file: String
    var hasAppeared = false
    var image: String?
    /// The load of the visible row; it may have ended.
    var load: Int?
  }

  private(set) var isOpen = false
  private(set) var isLeft = false
  private(set) var isLoading = false
  private(set) var rows: [Row] = []
  /// What each load is about, oldest first.
  private(set) var begun: [String] = []
  private(set) var canceledTooLate: Set<Int> = []
  private var canceled: Set<Int> = []
  private var ended: Set<Int> = []
  private var message: String?
  /// What has appeared on the screen so far, and what the user saw after the previous event.
  private var changes: [String] = []
  private var shownBefore = FeedWorld.inWords(rows: [], isLoading: false, message: nil)

  /// The rows that can appear, and those that can disappear.
  var hidden: [Int] { isLeft ? [] : rows.indices.filter { rows[$0].load == nil } }
  var visible: [Int] { rows.indices.filter { rows[$0].load != nil } }

  /// Everything that may be observed.
  var effects: [String] {
    begun.enumerated().map { "load \($0.offset + 1) requests \($0.element)" }
      + canceled.sorted().map { "the image loader cancels load \($0 + 1)" }
      + (isLeft ? ["the screen is released"] : []) + changes
  }

  private var shown: [String] {
    FeedWorld.inWords(rows: rows.map(\.title), isLoading: isLoading, message: message)
      + rows.indices.filter { rows[$0].hasAppeared }.map { FeedWorld.inWords(row: $0, image: rows[$0].image) }
  }

  /// Notes what is new on the screen after an event.
  mutating func noteChanges() {
    let shown = isLeft ? [] : shown
    changes += shown.filter { !shownBefore.contains($0) }
    shownBefore = shown
  }

  mutating func requestFeed() {
    begun.append("the feed")
    (isOpen, isLoading, message) = (true, true, nil)
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
    isLeft = true
  }

  mutating func end(_ load: Int, with ending: Ending) {
    guard !isLeft else { return }
    ended.insert(load)
    if begun[load] == "the feed" {
      isLoading = false
      switch ending {
      case .failure(let trouble): message = trouble.error.localizedDescription
      case .emptyValue: replaceRows(with: [])
      case .value, .sameValue:
        replaceRows(with: [
          Row(title: ending.inWords(.feed, load), file: "cat.jpg"), Row(title: FeedImage.dog.title, file: "dog.jpg"),
        ])
      }
    } else if let row = rows.firstIndex(where: { $0.load == load }) {
      switch ending {
      case .failure: break
      case .emptyValue: rows[row].image = ""
      case .value, .sameValue: rows[row].image = ending.inWords(.image, load)
      }
    }
  }

  /// The screen releases the previous rows, and each of them cancels its load.
  private mutating func replaceRows(with new: [Row]) {
    for row in rows.indices { disappear(row) }
    rows = new
  }
}
