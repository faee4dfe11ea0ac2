import Given
import TestSupport
import Testing

/// A story about a user who opens and leaves screens with articles, and about the client that loads them.
final class ArticlesStory: Story {
  enum Event: Sendable {
    case open(URL, immediately: Screens.Ending?)
    case end(Int, Screens.Ending, isOnMainQueue: Bool)
    case leave(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let url = ["/articles", "/articles?page=2", "/search?q=a%20b#top"].randomElement(using: &random)!
    let ending: Screens.Ending =
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3: .titles([["b", "a", "b"], ["only one"], ["", "Zoo", "apple"], []].randomElement(using: &random)!)
      case 3: .response(max(201, .status(using: &random)), #"["hidden"]"#)
      case 4: .response(200, ["", "<html>", #"{"articles": ["a"]}"#, "[1, 2]", "null"].randomElement(using: &random)!)
      default: .failure(Trouble.random(using: &random))
      }
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<3: return .open(URL(string: "https://example.com\(url)")!, immediately: nil)
    case 3..<5: return .open(URL(string: "https://example.com\(url)")!, immediately: ending)
    case 5..<9: return .end(position, ending, isOnMainQueue: Bool.random(using: &random))
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  let setting = ["All screens share one client."]
  private let screens: Screens
  /// What the page promises. Screens and requests have the same indexes.
  private(set) var expected: [String] = []

  init(using random: inout SeededRandom) {
    screens = Screens(leaks)
  }

  var observed: [String] { screens.observed }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let url, let ending):
      expected.append("the client receives GET \(url.inStory)")
      if let ending { expect(ending, on: screens.count) }
      return await screens.open(url, immediately: ending)
    case .end(let position, let ending, let isOnMainQueue):
      let open = screens.unfinished
      guard !open.isEmpty else { return nil }
      let index = open[position % open.count]
      if screens.visible.contains(index) { expect(ending, on: index) }
      return await screens.end(index, with: ending, isOnMainQueue: isOnMainQueue)
    case .leave(let position):
      let visible = screens.visible
      guard !visible.isEmpty else { return nil }
      let index = visible[position % visible.count]
      expected.append("screen \(index + 1) is released")
      return await screens.leave(index)
    }
  }

  func release() -> String? {
    let visible = screens.visible
    for index in visible {
      expected.append("screen \(index + 1) is released")
      screens.leaveHere(index)
    }
    return visible.isEmpty ? nil : "The user leaves all screens."
  }

  func nextEnding() -> Event? {
    screens.unfinished.isEmpty
      ? nil : .end(0, screens.unfinished.count.isMultiple(of: 2) ? .titles(["late"]) : .failure(.timedOut), isOnMainQueue: false)
  }

  private func expect(_ ending: Screens.Ending, on index: Int) {
    if let shown = ending.shown { expected.append("screen \(index + 1) \(shown)") }
  }
}
