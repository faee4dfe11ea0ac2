import Given
import TestSupport
import Testing

@Suite("Random runs")
struct RandomRunTests {
  @Test("a wrong solution is reported with the fewest events and the simplest values")
  func reportsTheShortestRun() async {
    #expect(
      await report(on: ForgetfulCounter.self) == """
        The shortest sequence of events that goes wrong:
        The counter shows 0.
          1. Someone presses the button 8 times.
               → the counter shows 1
               → the counter shows 2
               → the counter shows 3
               → the counter shows 4
               → the counter shows 5
               → the counter shows 6
               → the counter shows 7
               → the counter shows 7
        expected, but missing: the counter shows 8
        observed, but not expected: the counter shows 7
        """)
  }

  @Test("an object that is alive after a run is reported")
  func reportsLeaks() async {
    #expect(
      await report(on: ImmortalCounter.self) == """
        The shortest sequence of events that goes wrong:
        The counter shows 0.
          1. The counter is released.
        When everything is over, this is still alive: ImmortalCounter.
        """)
  }

  @Test("the same seed gives the same numbers")
  func repeatsItself() {
    var (one, two, three) = (SeededRandom(seed: 7), SeededRandom(seed: 7), SeededRandom(seed: 8))
    #expect((0..<5).map { _ in one.next() } == (0..<5).map { _ in two.next() })
    #expect(one.next() != three.next())
  }

  private func report<C: Counter>(on type: C.Type) async -> String? {
    let report = Inbox<String?>()
    await withKnownIssue(isIntermittent: true) {
      await expectNoRunGoesWrong(count: 300, of: CounterRun<C>.events) { _ in CounterRun() }
    } matching: { issue in
      report.receive(issue.comments.first?.rawValue)
      return true
    }
    return report.values.first ?? nil
  }
}

/// A button that increments a counter, and one that resets it.
private final class CounterRun<C: Counter>: RandomRun {
  private var model = 0
  private var effects: [String] = []
  private var counter: C?
  private let shown = Inbox<Int>()

  init() {
    super.init(setting: "The counter shows 0.")
    counter = leaks.track(C(show: shown.receive))
  }

  static var events: [RandomEvent<CounterRun>] {
    [
      RandomEvent(3) { run, random in
        let (times, isLong) = (random.pick(1, 2, 8), random.pick(false, true))
        for _ in 0..<times { run.show(run.model + 1) }
        let often = (times > 1 ? " \(times) times" : "") + (isLong ? " for a long time" : "")
        await run.event("Someone presses the button\(often).") {
          for _ in 0..<times { run.counter?.increment() }
        }
      },
      RandomEvent(1) { run, _ in
        if run.model == 0 { return }
        run.show(0)
        await run.event("Someone resets the counter.") { run.counter?.reset() }
      },
    ]
  }

  override func observed() async -> [String] { shown.values.map { "the counter shows \($0)" } }

  override var predicted: [String] { effects }

  override func release() async {
    counter = nil
    await event("The counter is released.")
  }

  private func show(_ number: Int) {
    model = number
    effects.append("the counter shows \(number)")
  }
}

private class Counter {
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

/// Shows 8 as 7.
private final class ForgetfulCounter: Counter {
  override func increment() {
    count += 1
    show(count == 8 ? 7 : count)
  }
}

/// Retains itself.
private final class ImmortalCounter: Counter {
  private var cycle: ImmortalCounter?

  required init(show: @escaping @Sendable (Int) -> Void) {
    super.init(show: show)
    cycle = self
  }
}
