import Given
import TestSupport
import Testing

/// A story about a user who opens and leaves screens with articles, and about the client that loads them.
final class ArticlesStory: Story {
  enum Event: Sendable {
    case open(String = "/articles", immediately: ArticlesWorld.Ending? = nil)
    case end(Int = 0, with: ArticlesWorld.Ending, isOnMainQueue: Bool = true)
    case leave(Int = 0)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = Int.random(in: 0..<9, using: &random)
    let path = ["/articles", "/articles?page=2", "/search?q=a%20b#top"].randomElement(using: &random)!
    let ending: ArticlesWorld.Ending =
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3: .titles([["b", "a", "b"], ["only one"], ["", "Zoo", "apple"], []].randomElement(using: &random)!)
      case 3: .response(max(201, .status(using: &random)), #"["hidden"]"#)
      case 4: .response(200, ["", "<html>", #"{"articles": ["a"]}"#, "[1, 2]", "null"].randomElement(using: &random)!)
      default: .failure(Trouble.random(using: &random))
      }
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<3: return .open(path)
    case 3..<5: return .open(path, immediately: ending)
    case 5..<9: return .end(position, with: ending, isOnMainQueue: Bool.random(using: &random))
    default: return .leave(position)
    }
  }

  let leaks = LeakTracker()
  let setting = ["All screens share one client."]
  private let world: ArticlesWorld
  /// What the page promises. Screens and requests have the same indexes.
  private(set) var expected: [String] = []

  init() {
    world = ArticlesWorld(leaks)
  }

  convenience init(using random: inout SeededRandom) {
    self.init()
  }

  static let leakMessage: Comment =
    "The user has left the screen, but something still retains it. Look for a stored closure that captures `self` strongly."

  var observed: [String] { world.observed }

  func play(_ event: Event) async -> String? {
    switch event {
    case .open(let path, let ending):
      expected.append("the client receives GET \(path)")
      if let ending { expect(ending, on: world.count) }
      return await world.open(path, immediately: ending)
    case .end(let position, let ending, let isOnMainQueue):
      let open = world.unfinished
      guard !open.isEmpty else { return nil }
      let index = open[position % open.count]
      if world.visible.contains(index) { expect(ending, on: index) }
      return await world.end(index, with: ending, isOnMainQueue: isOnMainQueue)
    case .leave(let position):
      let visible = world.visible
      guard !visible.isEmpty else { return nil }
      let index = visible[position % visible.count]
      expected.append("screen \(index + 1) is released")
      return await world.leave(index)
    }
  }

  func release() -> String? {
    let visible = world.visible
    for index in visible {
      expected.append("screen \(index + 1) is released")
      world.leaveHere(index)
    }
    return visible.isEmpty ? nil : "The user leaves all world."
  }

  func nextEnding() -> Event? {
    world.unfinished.isEmpty
      ? nil
      : .end(with: world.unfinished.count.isMultiple(of: 2) ? .titles(["late"]) : .failure(.timedOut), isOnMainQueue: false)
  }

  private func expect(_ ending: ArticlesWorld.Ending, on index: Int) {
    if let shown = ending.shown { expected.append("screen \(index + 1) \(shown)") }
  }
}
