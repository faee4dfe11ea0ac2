import Foundation
import Given
import Testing

/// The objects under test, the spies around them, a model of them, and what can happen to them.
///
/// Where calls share state, sequences of events matter, and random ones find what nobody thinks of. A subclass has a method for each
/// event. The method lets the event happen to the model, and calls ``event(_:_:)`` to let it happen to the objects under test. A
/// ``RandomEvent`` calls one of them with random arguments.
open class RandomRun {
  /// The objects that must not be alive when the run has ended.
  public let leaks = LeakTracker()
  private var lines: [String]
  private var reported: [String] = []
  /// How the run has gone wrong, as the learner reads it. Nothing happens in it anymore.
  fileprivate private(set) var failure: String?

  /// Creates a run before the first event.
  ///
  /// - Parameter setting: What is so at first, as a sentence.
  public init(setting: String) {
    lines = [setting]
  }

  /// What has been observed so far: sends, deliveries, states. The order does not matter.
  ///
  /// It is read repeatedly, since a solution may work on a queue or in a task. Where a page demands an order, one entry states the
  /// order.
  open func observed() async -> [String] { [] }

  /// What the model says must have been observed so far, in the same words.
  open var predicted: [String] { [] }

  /// Releases the objects under test, unless they have been released.
  open func release() async {}

  /// Ends something that is in progress; `nil` if nothing is.
  open func nextEnding() -> (() async -> Void)? { nil }

  /// Lets an event happen, and checks that it leads to what the model predicts, in any order, and to nothing else.
  ///
  /// - Parameters:
  ///   - sentence: What happens.
  ///   - work: What happens to the objects under test.
  public func event(_ sentence: String, _ work: () async -> Void = {}) async {
    guard failure == nil else { return }
    lines.append("  \(lines.count(where: { $0.hasPrefix("  ") && !$0.hasPrefix("    ") }) + 1). \(sentence)")
    await work()
    let isRight = await eventually { await observed().sorted() == predicted.sorted() }
    if let stuck = Deadline.current?.stuck {
      return fail("\(stuck): does it wait for a result, or for a lock that is held while a completion is called?")
    }
    let seen = await observed()
    lines += seen.without(reported).map { "       → \($0)" }
    reported = seen
    if isRight { return }
    let (missing, surplus) = (predicted.without(seen), seen.without(predicted))
    let differences = [("expected, but missing", missing), ("observed, but not expected", surplus)].filter { !$1.isEmpty }
    fail(differences.map { "\($0): \($1.listed)" }.joined(separator: "\n"))
  }

  /// Adds words to the sentence about the event that is happening.
  public func add(_ words: String) {
    lines[lines.count - 1] += words
  }

  private func fail(_ cause: String) {
    failure = (lines + [cause]).joined(separator: "\n")
  }

  /// Ends whatever is in progress. That leads to what the model predicts, too.
  ///
  /// - Parameter releasesFirst: Whether the objects under test are released before that, and not afterward.
  fileprivate func end(releasingFirst releasesFirst: Bool) async {
    if releasesFirst { await release() }
    // No run leaves more than this in progress: a solution that repeats requests forever must not hang the tests.
    for _ in 0..<64 where failure == nil {
      guard let ending = nextEnding() else { break }
      await ending()
    }
    if !releasesFirst { await release() }
    if failure != nil { return }
    if await !eventually({ leaks.alive.isEmpty }) {
      fail("When everything is over, this is still alive: \(Set(leaks.alive).sorted().joined(separator: ", ")).")
    }
  }
}

/// An event of random runs.
///
/// Its closure draws the arguments of one of the run's methods, and calls that method. It does nothing if the event is impossible, or
/// if the page leaves open what it leads to. Any other event may be missing from a run, so it names nothing that an earlier event has
/// created: it draws a position, and takes it modulo the number of objects that exist.
public struct RandomEvent<Run> {
  /// Lets an event happen.
  public typealias Closure = (Run, inout SeededRandom) async -> Void

  let weight: Int
  let happen: Closure

  /// - Parameters:
  ///   - weight: How often the event happens in comparison to the others.
  ///   - happen: Lets it happen.
  public init(_ weight: Int, _ happen: @escaping Closure) {
    (self.weight, self.happen) = (weight, happen)
  }
}

/// A reproducible source of random numbers: the same seed gives the same numbers (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// How many values have been picked.
  private(set) var picks = 0
  /// Which picks give the first value, counted from 1.
  var simple: Set<Int> = []

  /// Creates a source.
  ///
  /// - Parameter seed: The seed.
  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Picks one of several values. The first is the simplest: a run that goes wrong is reported with the simplest values that do.
  public mutating func pick<Value>(_ values: Value...) -> Value {
    pick(from: values)
  }

  /// Picks an element of a collection, which must not be empty. The first is the simplest.
  public mutating func pick<Values: Collection>(from values: Values) -> Values.Element {
    picks += 1
    let value = values.randomElement(using: &self)!
    return simple.contains(picks) ? values.first! : value
  }
}

/// Plays random runs until one goes wrong, shortens that one, and reports it.
///
/// If a run needs much time, fewer are played. `KATA_BLOCK=7` plays other runs than every other time, to tell how often a mistake is
/// caught, and not by luck.
///
/// - Parameters:
///   - count: The number of runs to play.
///   - events: The events that may happen.
///   - run: A closure that makes a run before the first event. Anything random in its setting comes from the source.
///   - sourceLocation: The source location of the issue.
public func expectNoRunGoesWrong<Run: RandomRun>(
  count: Int, of events: [RandomEvent<Run>], in run: @escaping (inout SeededRandom) -> Run,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  var patience = 0.3
  var limit: TimeLimit?
  let block = ProcessInfo.processInfo.environment["KATA_BLOCK"].flatMap(UInt64.init) ?? 0
  for seed in block * UInt64(count)..<(block + 1) * UInt64(count) where limit?.isOver != true {
    let script = Script(seed: seed, of: events, in: run)
    guard let failure = await script.play(patience: patience) else { continue }
    guard let shortest = await script.shortest(failure) else {
      // The run is fine: the machine was slow, or the code under test delivers late. Wait longer, but not in all runs.
      (patience, limit) = (Deadline.long, limit ?? TimeLimit(seconds: 5))
      continue
    }
    Issue.record("The shortest sequence of events that goes wrong:\n\(shortest.report)", sourceLocation: sourceLocation)
    return
  }
}

/// The events of a run, which can be played again and again, with fewer of them or simpler values.
private struct Script<Run: RandomRun> {
  /// How a run has gone wrong, and how many values each of its events has picked until then.
  typealias Failure = (report: String, picks: [Int])

  private let seed: UInt64
  private let makeRun: (inout SeededRandom) -> Run
  private var parts: [(happen: RandomEvent<Run>.Closure, random: SeededRandom)]
  private var releasesFirst = true

  init(seed: UInt64, of events: [RandomEvent<Run>], in run: @escaping (inout SeededRandom) -> Run) {
    (self.seed, makeRun) = (seed, run)
    var random = SeededRandom(seed: ~seed)
    let urn = events.flatMap { Array(repeating: $0.happen, count: $0.weight) }
    // Many events turn out to be impossible, so a run is shorter than that.
    parts = (0..<Int.random(in: 3...24, using: &random)).map { _ in
      (urn.randomElement(using: &random)!, SeededRandom(seed: random.next()))
    }
  }

  /// Plays the run once.
  ///
  /// - Parameter patience: The time in seconds to wait until observation and model agree.
  /// - Returns: How it went wrong; `nil` if it did not.
  func play(patience: TimeInterval) async -> Failure? {
    Watchdog.ofThisProcess.noteProgress()
    return await Deadline.$current.withValue(Deadline(seconds: patience)) {
      var random = SeededRandom(seed: seed)
      let run = makeRun(&random)
      var picks: [Int] = []
      for part in parts where run.failure == nil {
        var random = part.random
        await part.happen(run, &random)
        picks.append(random.picks)
      }
      if run.failure == nil { await run.end(releasingFirst: releasesFirst) }
      return run.failure.map { ($0, picks) }
    }
  }

  /// Finds a version with as few events and as simple values as possible that still goes wrong.
  ///
  /// - Parameter failure: How it went wrong when it was played with little patience.
  /// - Returns: `nil` if it goes right when it has time.
  func shortest(_ failure: Failure) async -> Failure? {
    let (short, shortFailure) = await shortened(failure, limit: TimeLimit(seconds: 2.5))
    // While some code blocks the main queue, nothing can be told from a new run.
    guard await mainQueueDrains(after: {}) else { return shortFailure }
    if let failure = await short.play(patience: Deadline.long) { return failure }
    return await play(patience: Deadline.long)
  }

  private func shortened(_ failure: Failure, limit: TimeLimit) async -> (Self, Failure) {
    var (script, failure) = (self, failure)
    func stillFails(_ candidate: Self) async -> Bool {
      let isFree = await Deadline.$current.withValue(Deadline(seconds: 0.1)) { await mainQueueDrains(after: {}) }
      guard isFree, !limit.isOver, let next = await candidate.play(patience: 0.1) else { return false }
      (script, failure) = (candidate, next)
      script.parts.removeSubrange(failure.picks.count...)
      return true
    }
    script.parts.removeSubrange(failure.picks.count...)
    var length = max(1, script.parts.count / 2)
    while length > 0 {
      var (start, isShorter) = (0, false)
      while start < script.parts.count, !limit.isOver {
        var candidate = script
        candidate.parts.removeSubrange(start..<min(start + length, script.parts.count))
        if await stillFails(candidate) { isShorter = true } else { start += length }
      }
      if !isShorter || limit.isOver { length /= 2 }
    }
    var candidate = script
    candidate.releasesFirst = false
    _ = await stillFails(candidate)
    var index = 0
    while index < script.parts.count {
      let picks = failure.picks[index]
      for simple in picks == 0 ? [] : [Set(1...picks)] + (1...picks).map({ [$0] }) where index < script.parts.count {
        if simple.isSubset(of: script.parts[index].random.simple) { continue }
        var candidate = script
        candidate.parts[index].random.simple.formUnion(simple)
        _ = await stillFails(candidate)
      }
      index += 1
    }
    return (script, failure)
  }
}

extension [String] {
  /// The elements that are left if each element of another array is removed once.
  func without(_ others: [String]) -> [String] {
    var rest = self
    for other in others {
      if let index = rest.firstIndex(of: other) { rest.remove(at: index) }
    }
    return rest
  }

  /// The first elements, and the number of the others: an endless loop makes thousands.
  fileprivate var listed: String {
    prefix(8).joined(separator: "; ") + (count > 8 ? "; and \(count - 8) more" : "")
  }
}
