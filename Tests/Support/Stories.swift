import Foundation
import Given
import Testing

/// A world in which a short story can be told: events that can happen in it, and what can be observed of it. See ``Scene``.
///
/// A conforming class holds the objects under test and the spies around them.
public protocol StoryWorld: AnyObject {
  /// Something that happens.
  associatedtype Event: Sendable

  /// The setting, in sentences. They come before the events when a story is told.
  var setting: [String] { get }

  /// Lets an event happen.
  ///
  /// - Returns: What has happened, as a sentence; `nil` if the event is impossible at this point.
  func play(_ event: Event) async -> String?

  /// Waits until an event has had its effects, as far as the world can tell.
  func awaitEffects() async

  /// What has been observed so far: sends, deliveries, states. The order does not matter.
  ///
  /// It is read repeatedly, since a solution may work on a queue or in a task. Where a lesson promises an order, one entry states
  /// the order.
  var observed: [String] { get async }

  /// A remark on the differences between what was expected and what has been ``observed``, if there is one.
  func remark(on differences: [String]) -> String?

  /// Releases the objects under test. Called once, before the events that end the story.
  ///
  /// - Returns: What has happened, as a sentence; `nil` if it is not worth telling.
  func release() -> String?

  /// The next event that ends something that is still in progress; `nil` if everything has ended.
  func nextEnding() -> Event?

  /// The objects that must not be alive after the story has ended.
  var leaks: LeakTracker { get }

  /// The message for the learner about an object that is still alive.
  static var leakMessage: Comment { get }
}

/// A random sequence of events that is played against the learner's code and against a model of it.
///
/// In addition to the objects under test, a conforming class holds the model: plain values that say what may be observed. An event
/// happens to both. After each event, observation and model must agree. ``expectNoStoryGoesWrong(_:count:sourceLocation:)`` plays
/// hundreds of stories, and shortens the first one that goes wrong.
///
/// Any event may be removed from a story. An event therefore never names an object that an earlier event has created. It names
/// a position, such as "the third open request", and the story takes it modulo the number of objects that exist.
public protocol Story: StoryWorld {
  /// Makes a random event.
  static func event(using random: inout SeededRandom) -> Event

  /// Begins a story.
  ///
  /// - Parameter random: The source of anything random in the setting. It is the same for all versions of a story.
  init(using random: inout SeededRandom)

  /// What the model says must have been ``StoryWorld/observed`` so far, in the same words.
  var expected: [String] { get }

  /// The versions of an event that are a little simpler, if there are any. A story is told with the simplest that goes wrong.
  static func simpler(_ event: Event) -> [Event]
}

extension StoryWorld {
  public func awaitEffects() async {}

  public func remark(on differences: [String]) -> String? { nil }

  public func release() -> String? { nil }

  public func nextEnding() -> Event? { nil }

  public static var leakMessage: Comment {
    "The app has released everything, and nothing is in flight. Which closure still retains an object?"
  }
}

extension Story {
  public static func simpler(_ event: Event) -> [Event] { [] }

  /// Waits until observation and model agree. What was shown before the event is neither missing nor wrong until the code under test
  /// has had its time.
  public func awaitEffects() async { await eventually { await observed.sorted() == expected.sorted() } }
}

/// Plays stories until one goes wrong, shortens that one, and reports it.
///
/// If a story needs much time, fewer stories are played.
///
/// - Parameters:
///   - type: The kind of story.
///   - count: The number of stories to play.
///   - isLeftOut: Whether to leave out an event, for example because only a later step is about it.
///   - sourceLocation: The source location of the issue.
public func expectNoStoryGoesWrong<S: Story>(
  _ type: S.Type, count: Int = 300, leavingOut isLeftOut: (S.Event) -> Bool = { _ in false },
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  guard let story = await shortestStoryThatGoesWrong(type, count: count, leavingOut: isLeftOut) else { return }
  Issue.record("The shortest story that goes wrong:\n\(story)", sourceLocation: sourceLocation)
}

/// Plays stories until one goes wrong, and shortens that one: see ``expectNoStoryGoesWrong(_:count:leavingOut:sourceLocation:)``.
///
/// - Returns: The story, as the learner reads it; `nil` if none goes wrong.
public func shortestStoryThatGoesWrong<S: Story>(
  _ type: S.Type, count: Int, leavingOut isLeftOut: (S.Event) -> Bool = { _ in false }
) async -> String? {
  var patience = 0.3
  var limit: TimeLimit?
  // `KATA_BLOCK=7` plays other stories than every other run, to tell how often a mistake is caught, and not by luck.
  let block = ProcessInfo.processInfo.environment["KATA_BLOCK"].flatMap(UInt64.init) ?? 0
  for seed in block * UInt64(count)..<(block + 1) * UInt64(count) where limit?.isOver != true {
    let script = Script<S>(seed: seed, leavingOut: isLeftOut)
    guard let failure = await script.play(patience: patience) else { continue }
    guard let shortest = await script.shortest(failure) else {
      // The story is fine: the machine was slow, or the code under test delivers late. Wait longer, but not for all stories.
      patience = Patience.long
      limit = limit ?? TimeLimit(seconds: 5)
      continue
    }
    return shortest.told
  }
  return nil
}

/// Waits until a condition holds, or until the test's ``Patience`` ends. Other queues and tasks run between two checks.
///
/// - Returns: Whether the condition held in time.
@discardableResult
public func eventually(_ condition: () async -> Bool) async -> Bool {
  if await condition() { return true }
  let limit = TimeLimit(seconds: Patience.seconds)
  var turns = 0
  repeat {
    if limit.isOver {
      Patience.current?.end()
      return false
    }
    // Nearly all conditions hold after a few turns. After that, leave the processor to others.
    turns += 1
    if turns < 5 {
      await Task.yield()
      continue
    }
    if turns > 50 { try? await Task.sleep(for: .milliseconds(5)) }
    let turn = Inbox<Void>()
    DispatchQueue.global(qos: .utility).async {
      DispatchQueue.main.async { turn.receive(()) }
    }
    await turn.receives(1)
  } while !(await condition())
  return true
}

/// A story that can be played again and again.
private struct Script<S: Story> {
  /// A version of the story that went wrong.
  struct Failure {
    /// The setting and what happened, in sentences.
    let sentences: [String]
    let expected: [String]
    let observed: [String]
    /// The number of events that were played.
    let eventCount: Int
    var remark: ([String]) -> String? = { _ in nil }

    /// The story, as the learner reads it.
    var told: String { sentences.asStory(expected: expected, observed: observed, remark) }
  }

  private let seed: UInt64
  private var events: [S.Event]
  /// Whether the app releases everything before the rest ends, and not afterward.
  private var releasesFirst = true

  init(seed: UInt64, leavingOut isLeftOut: (S.Event) -> Bool) {
    self.seed = seed
    var random = SeededRandom(seed: ~seed)
    // Many events turn out to be impossible, so a story is shorter than that.
    events = (0..<Int.random(in: 3...24, using: &random)).map { _ in S.event(using: &random) }.filter { !isLeftOut($0) }
  }

  /// Plays the story once.
  ///
  /// - Parameter patience: The time in seconds to wait until observation and model agree.
  /// - Returns: How it went wrong; `nil` if it did not.
  func play(patience: TimeInterval) async -> Failure? {
    Watchdog.ofThisProcess.noteProgress()
    return await Patience.$current.withValue(Patience(seconds: patience)) { await playPatiently() }
  }

  private func playPatiently() async -> Failure? {
    var random = SeededRandom(seed: seed)
    let story = S(using: &random)
    var sentences = story.setting
    func failure(after count: Int) async -> Failure? {
      if let stuck = Patience.current?.stuck {
        return Failure(sentences: sentences, expected: [], observed: [stuck], eventCount: count)
      }
      let expected = story.expected
      let agrees = await eventually {
        let observed = await story.observed
        return observed == expected || (observed.count == expected.count && observed.sorted() == expected.sorted())
      }
      if agrees { return nil }
      return await Failure(
        sentences: sentences, expected: expected, observed: story.observed, eventCount: count, remark: story.remark)
    }

    for (index, event) in events.enumerated() {
      guard let sentence = await story.play(event) else { continue }
      sentences.append(sentence)
      if let failure = await failure(after: index + 1) { return failure }
    }
    if releasesFirst, let sentence = story.release() { sentences.append(sentence) }
    // No story leaves more than this in progress: a solution that repeats requests forever must not hang the run.
    for _ in 0..<64 {
      guard let event = story.nextEnding(), let sentence = await story.play(event) else { break }
      sentences.append(sentence)
      if let failure = await failure(after: events.count) { return failure }
    }
    if !releasesFirst, let sentence = story.release() { sentences.append(sentence) }
    let leaks = story.leaks
    if await eventually({ leaks.alive.isEmpty }) { return nil }
    return Failure(
      sentences: sentences, expected: ["everything is released when the story has ended"],
      observed: Set(leaks.alive).sorted().map { "\($0) is still alive" }, eventCount: events.count)
  }

  /// Finds a version of the story with as few events as possible that still goes wrong.
  ///
  /// Played with little patience, a story may go wrong because the machine is busy. Such a version does not count.
  ///
  /// - Parameter failure: How the story went wrong when it was played with little patience.
  /// - Returns: How the short version goes wrong; `nil` if the story does not.
  func shortest(_ failure: Failure) async -> Failure? {
    // While some code blocks the main queue, no other version can be played.
    guard await mainQueueDrains(after: {}) else { return failure }
    let short = await shortened(failure, patience: 0.1, limit: TimeLimit(seconds: 2))
    if let failure = await short.play(patience: Patience.long) { return failure }
    guard let whole = await play(patience: Patience.long) else { return nil }
    return await shortened(whole, patience: 0.5, limit: TimeLimit(seconds: 1.5)).play(patience: Patience.long) ?? whole
  }

  private func shortened(_ failure: Failure, patience: TimeInterval, limit: TimeLimit) async -> Self {
    var script = self
    script.events.removeSubrange(failure.eventCount...)
    var length = max(1, script.events.count / 2)
    var isShorter = true
    while isShorter || length > 1 {
      if !isShorter { length /= 2 }
      isShorter = false
      var start = 0
      while start < script.events.count, !limit.isOver {
        var candidate = script
        candidate.events.removeSubrange(start..<min(start + length, script.events.count))
        if let failure = await candidate.play(patience: patience) {
          (script, isShorter) = (candidate, true)
          script.events.removeSubrange(min(failure.eventCount, script.events.count)...)
        } else {
          start += length
        }
      }
      if limit.isOver { break }
    }
    return await script.simplified(patience: patience, limit: limit)
  }

  /// Replaces events by simpler ones, as long as the story goes wrong. A release that the failure does not need comes last.
  private func simplified(patience: TimeInterval, limit: TimeLimit) async -> Self {
    var script = self
    script.releasesFirst = false
    if await script.play(patience: patience) == nil { script.releasesFirst = true }
    for index in events.indices {
      var isSimpler = true
      while isSimpler {
        isSimpler = false
        for event in S.simpler(script.events[index]) where !limit.isOver && !isSimpler {
          var candidate = script
          candidate.events[index] = event
          guard let failure = await candidate.play(patience: patience), failure.eventCount == events.count else { continue }
          (script, isSimpler) = (candidate, true)
        }
      }
    }
    return script
  }
}
