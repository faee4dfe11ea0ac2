import Given
import TestSupport
import Testing

@Suite("Stories")
struct StoryTests {
  @Test("a correct solution goes wrong in no random story")
  func acceptsTheCorrectSolution() async {
    #expect(await report(on: CorrectCounter.self) == nil)
  }

  @Test("a solution that works on a queue goes wrong in no random story")
  func waitsForQueues() async {
    #expect(await report(on: QueueCounter.self) == nil)
  }

  @Test("a wrong solution is reported with the fewest events and the simplest values")
  func reportsTheShortestStory() async {
    #expect(
      await report(on: ForgetfulCounter.self) == """
          1. The counter shows 0.
          2. Someone presses the button 8 times.
        expected, but missing: the counter shows 8
        observed, but not expected: the counter shows 7 (2 times instead of 1)
        """)
  }

  @Test("an object that is alive after a random story is reported")
  func reportsLeaks() async {
    #expect(
      await report(on: ImmortalCounter.self) == """
          1. The counter shows 0.
          2. The counter is released.
        expected, but missing: everything is released when the story has ended
        observed, but not expected: ImmortalCounter is still alive
        """)
  }

  @Test("a told story is checked against its lists, and the lists against the model")
  func checksToldStories() async {
    let reports = Inbox<String?>()
    await withKnownIssue {
      await story(CounterScenario<ForgetfulCounter>(), "Count every press.") {
        await $0.press(leadsToAllOf: ["the counter shows 1"])
        await $0.press(7, leadsToAllOf: (2...8).map { "the counter shows \($0)" })
        await $0.press(leadsToAllOf: ["nothing happens after a failure"])
      }
      await story(CounterScenario<CorrectCounter>(), "Count every press.") {
        $0.model = 41
        await $0.press(leadsToAllOf: ["the counter shows 1"])
      }
      await story(CounterScenario<CorrectCounter>(), "Count every press.") { await $0.reset() }
    } matching: { issue in
      reports.receive(issue.comments.first?.rawValue)
      return true
    }
    #expect(
      reports.values == [
        """
        Count every press.
          1. The counter shows 0.
          2. Someone presses the button.
          3. Someone presses the button 7 times.
        expected, but missing: the counter shows 8
        observed, but not expected: the counter shows 7 (2 times instead of 1)
        """,
        """
        Count every press.
        The model disagrees with this list of effects. It lacks: ["the counter shows 42"]. It should not list: ["the counter shows 1"].
        """,
        """
        Count every press.
        This can't happen here: reset(leadsToAllOf:at:).
        """,
      ])
  }

  @Test("the same seed gives the same numbers")
  func repeatsItself() {
    var (one, two, three) = (SeededRandom(seed: 7), SeededRandom(seed: 7), SeededRandom(seed: 8))
    #expect((0..<5).map { _ in one.next() } == (0..<5).map { _ in two.next() })
    #expect(one.next() != three.next())
  }

  private func report<C: Counter>(on type: C.Type) async -> String? {
    await shortestStoryThatGoesWrong(count: 300, of: CounterScenario<C>.randomEvents) { _ in CounterScenario() }
  }
}

/// A button that increments a counter, and one that resets it.
private final class CounterScenario<C: Counter>: Scenario {
  var model = 0
  private var effects: [String] = []
  private var counter: C?
  private let shown = Inbox<Int>()

  init() {
    super.init(setting: "The counter shows 0.")
    counter = leaks.track(C(show: shown.receive))
  }

  static var randomEvents: [RandomEvent<CounterScenario>] {
    [
      RandomEvent(3) { world, random in
        await world.press([1, 2, 8].randomElement(using: &random)!, isLong: .random(using: &random))
      },
      RandomEvent(1) { world, _ in await world.reset() },
    ]
  }

  override func observed() async -> [String] { shown.values.map { "the counter shows \($0)" } }

  override var predicted: [String] { effects }

  func press(
    _ times: Int = 1, isLong: Bool = false, leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    for _ in 0..<times { show(model + 1) }
    let often = (times > 1 ? " \(times) times" : "") + (isLong ? " for a long time" : "")
    await event("Someone presses the button\(often).", leadsToAllOf: listed, at: place) {
      for _ in 0..<times { counter?.increment() }
    }
  }

  func reset(leadsToAllOf listed: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard model > 0 else { return impossible(at: place) }
    show(0)
    await event("Someone resets the counter.", leadsToAllOf: listed, at: place) { counter?.reset() }
  }

  override func release() async {
    counter = nil
    await event("The counter is released.")
  }

  private func show(_ number: Int) {
    model = number
    effects.append("the counter shows \(number)")
  }
}

private protocol Counter: AnyObject {
  init(show: @escaping @Sendable (Int) -> Void)
  func increment()
  func reset()
}

private class CorrectCounter: Counter {
  let show: @Sendable (Int) -> Void
  var count = 0

  required init(show: @escaping @Sendable (Int) -> Void) {
    self.show = show
  }

  func increment() {
    count += 1
    show(count)
  }

  func reset() {
    count = 0
    show(0)
  }
}

private final class QueueCounter: Counter {
  private let show: @Sendable (Int) -> Void
  private let queue = DispatchQueue(label: "counter")
  private let count = Locked(0)

  init(show: @escaping @Sendable (Int) -> Void) {
    self.show = show
  }

  func increment() {
    queue.async { [show, count] in
      show(
        count.withLock {
          $0 += 1
          return $0
        })
    }
  }

  func reset() {
    queue.async { [show, count] in
      count.withLock { $0 = 0 }
      show(0)
    }
  }
}

/// Shows 8 as 7.
private final class ForgetfulCounter: CorrectCounter {
  override func increment() {
    count += 1
    show(count == 8 ? 7 : count)
  }
}

/// Retains itself.
private final class ImmortalCounter: CorrectCounter {
  private var cycle: ImmortalCounter?

  override func increment() {
    cycle = self
    super.increment()
  }

  required init(show: @escaping @Sendable (Int) -> Void) {
    super.init(show: show)
    cycle = self
  }
}
