import Foundation
import Given
import Testing

/// Plays random stories until one goes wrong, shortens that one, and reports it.
///
/// If a story needs much time, fewer stories are played.
///
/// - Parameters:
///   - count: The number of stories to play.
///   - events: The events that may happen.
///   - world: A closure that makes a scenario before the first event. Anything random in its setting comes from the source.
///   - sourceLocation: The source location of the issue.
public func expectNoStoryGoesWrong<World: Scenario>(
  count: Int, of events: [RandomEvent<World>], in world: (inout SeededRandom) -> World,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  guard let story = await shortestStoryThatGoesWrong(count: count, of: events, in: world) else { return }
  Issue.record("The shortest story that goes wrong:\n\(story)", sourceLocation: sourceLocation)
}

/// Plays random stories until one goes wrong, and shortens that one: see ``expectNoStoryGoesWrong(count:of:in:sourceLocation:)``.
///
/// - Returns: The story, as the learner reads it; `nil` if none goes wrong.
public func shortestStoryThatGoesWrong<World: Scenario>(
  count: Int, of events: [RandomEvent<World>], in world: (inout SeededRandom) -> World
) async -> String? {
  var patience = 0.3
  var limit: TimeLimit?
  // `KATA_BLOCK=7` plays other stories than every other run, to tell how often a mistake is caught, and not by luck.
  let block = ProcessInfo.processInfo.environment["KATA_BLOCK"].flatMap(UInt64.init) ?? 0
  for seed in block * UInt64(count)..<(block + 1) * UInt64(count) where limit?.isOver != true {
    let script = Script(seed: seed, of: events)
    guard let failure = await script.play(in: world, patience: patience) else { continue }
    guard let shortest = await script.shortest(failure, in: world) else {
      // The story is fine: the machine was slow, or the code under test delivers late. Wait longer, but not for all stories.
      patience = Deadline.long
      limit = limit ?? TimeLimit(seconds: 5)
      continue
    }
    return shortest.story
  }
  return nil
}

/// A random story that can be played again and again, with fewer events or simpler values.
private struct Script<World: Scenario> {
  typealias MakeWorld = (inout SeededRandom) -> World
  /// An event, and the source of its arguments.
  typealias Part = (happen: RandomEvent<World>.Closure, random: SeededRandom)
  /// How the story has gone wrong, and how many numbers each of its events has drawn until then.
  typealias Failure = (story: String, draws: [Int])

  private let seed: UInt64
  private var parts: [Part]
  private var releasesFirst = true

  init(seed: UInt64, of events: [RandomEvent<World>]) {
    self.seed = seed
    var random = SeededRandom(seed: ~seed)
    let urn = events.flatMap { Array(repeating: $0.happen, count: $0.weight) }
    // Many events turn out to be impossible, so a story is shorter than that.
    parts = (0..<Int.random(in: 3...24, using: &random)).map { _ in
      (urn.randomElement(using: &random)!, SeededRandom(seed: random.next()))
    }
  }

  /// Plays the story once.
  ///
  /// - Parameter patience: The time in seconds to wait until observation and model agree.
  /// - Returns: How it went wrong; `nil` if it did not.
  func play(in world: MakeWorld, patience: TimeInterval) async -> Failure? {
    Watchdog.ofThisProcess.noteProgress()
    return await Deadline.$current.withValue(Deadline(seconds: patience)) {
      var random = SeededRandom(seed: seed)
      let world = world(&random)
      var draws: [Int] = []
      for part in parts where world.failure == nil {
        var random = part.random
        await part.happen(world, &random)
        draws.append(random.picks)
      }
      if world.failure == nil { await world.end(releasingFirst: releasesFirst) }
      return world.failure.map { ($0, draws) }
    }
  }

  /// Finds a version of the story with as few events as possible that still goes wrong.
  ///
  /// Played with little patience, a story may go wrong because the machine is busy. Such a version does not count.
  ///
  /// - Parameter failure: How the story went wrong when it was played with little patience.
  /// - Returns: How the short version goes wrong; `nil` if the story does not.
  func shortest(_ failure: Failure, in world: MakeWorld) async -> Failure? {
    // While some code blocks the main queue, no other version can be played.
    guard await mainQueueDrains(after: {}) else { return failure }
    let (short, shortFailure) = await shortened(failure, in: world, patience: 0.1, limit: TimeLimit(seconds: 2))
    guard await mainQueueDrains(after: {}) else { return shortFailure }
    if let failure = await short.play(in: world, patience: Deadline.long) { return failure }
    guard let whole = await play(in: world, patience: Deadline.long) else { return nil }
    let (shorter, shorterFailure) = await shortened(whole, in: world, patience: 0.5, limit: TimeLimit(seconds: 1.5))
    guard await mainQueueDrains(after: {}) else { return shorterFailure }
    return await shorter.play(in: world, patience: Deadline.long) ?? whole
  }

  /// Plays the story once more; `nil` also if an earlier version has blocked the main queue, and so cannot be told from this one.
  private func replay(in world: MakeWorld, patience: TimeInterval) async -> Failure? {
    let isFree = await Deadline.$current.withValue(Deadline(seconds: patience)) { await mainQueueDrains(after: {}) }
    return isFree ? await play(in: world, patience: patience) : nil
  }

  private func shortened(
    _ failure: Failure, in world: MakeWorld, patience: TimeInterval, limit: TimeLimit
  ) async -> (Self, Failure) {
    var (script, failure) = (self, failure)
    script.parts.removeSubrange(failure.draws.count...)
    var length = max(1, script.parts.count / 2)
    var isShorter = true
    while isShorter || length > 1 {
      if !isShorter { length /= 2 }
      isShorter = false
      var start = 0
      while start < script.parts.count, !limit.isOver {
        var candidate = script
        candidate.parts.removeSubrange(start..<min(start + length, script.parts.count))
        if let next = await candidate.replay(in: world, patience: patience) {
          (script, failure, isShorter) = (candidate, next, true)
          script.parts.removeSubrange(failure.draws.count...)
        } else {
          start += length
        }
      }
      if limit.isOver { break }
    }
    return await script.simplified(failure, in: world, patience: patience, limit: limit)
  }

  /// Replaces what the events have drawn by simpler values, all at once or one by one, as long as the story goes wrong. A release that
  /// the failure does not need comes last.
  private func simplified(
    _ failure: Failure, in world: MakeWorld, patience: TimeInterval, limit: TimeLimit
  ) async -> (Self, Failure) {
    var (script, failure) = (self, failure)
    script.releasesFirst = false
    if let next = await script.replay(in: world, patience: patience), next.draws.count == parts.count {
      failure = next
    } else {
      script.releasesFirst = true
    }
    for index in parts.indices where failure.draws[index] > 0 {
      let draws = 1...failure.draws[index]
      for simple in [Set(draws)] + draws.map({ [$0] }) where !limit.isOver {
        if simple.isSubset(of: script.parts[index].random.simple) { continue }
        var candidate = script
        candidate.parts[index].random.simple.formUnion(simple)
        guard let next = await candidate.replay(in: world, patience: patience), next.draws.count == parts.count else { continue }
        (script, failure) = (candidate, next)
      }
    }
    return (script, failure)
  }
}
