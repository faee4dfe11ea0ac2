import Testing

/// Tells a short story: a few events that a test chooses, and what each of them leads to.
///
/// After each event, exactly what the events so far lead to must have been observed, in any order. When the events are over,
/// whatever is in flight ends. Then everything should be released.
///
/// - Parameters:
///   - world: A world before the first event. It may be a generated ``Story``, whose events a test then chooses.
///   - rule: The rule that the short story shows, as a sentence for the learner. It is the message of every failure.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
public func story<World: StoryWorld>(
  _ world: World, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (Scene<World>) async -> Void
) async {
  let scene = Scene(world, rule)
  await events(scene)
  await scene.end(sourceLocation)
}

/// A story that a test tells event by event.
public final class Scene<World: StoryWorld> {
  private let world: World
  private let rule: String
  private var told: [String]
  private var expected: [String] = []
  /// Whether the story has gone wrong. Nothing happens in it anymore.
  private var hasFailed = false

  fileprivate init(_ world: World, _ rule: String) {
    (self.world, self.rule, told) = (world, rule, [world.setting.joined(separator: " ")])
  }

  /// Lets an event happen, and checks that it leads to certain effects, in any order, and to nothing else.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - effects: What it leads to, in the words of the world.
  ///   - place: The source location of issues.
  public func play(
    _ event: World.Event, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    await play(effects, place) {
      guard let sentence = await world.play(event) else { return "This can't happen: \(event)." }
      await world.awaitEffects()
      return sentence
    }
  }

  private func play(_ effects: [String], _ place: SourceLocation, _ event: () async -> String) async {
    guard !hasFailed else { return }
    await Patience.$current.withValue(Patience.current ?? Patience()) {
      expected += effects
      told.append(await event())
      let stuck = Patience.current?.stuck
      if stuck == nil, await agrees() { return }
      hasFailed = true
      let end =
        if let stuck { told.asStory(expected: [], observed: [stuck]) } else {
          told.asStory(expected: expected, observed: await world.observed, world.remark)
        }
      Issue.record("\(rule)\n\(end)", sourceLocation: place)
    }
  }

  /// Whether what has been observed becomes what is expected. If something else has been observed, the rest of it follows soon.
  private func agrees() async -> Bool {
    let isDecided = await eventually {
      let observed = await world.observed
      return observed.sorted() == expected.sorted() || !observed.without(expected).isEmpty
    }
    guard isDecided else { return false }
    return await Patience.$current.withValue(Patience(seconds: 0.2)) {
      await eventually { await world.observed.sorted() == expected.sorted() }
    }
  }

  /// Checks that nothing else happens, ends what is in flight, and checks that everything is released.
  fileprivate func end(_ place: SourceLocation) async {
    await mainQueueDrained()
    await play([], place) { "Nothing else happens." }
    if hasFailed { return }
    _ = world.release()
    for _ in 0..<64 {
      guard let event = world.nextEnding(), await world.play(event) != nil else { break }
      await world.awaitEffects()
    }
    await world.leaks.expectReleased(World.leakMessage, sourceLocation: place)
  }
}

extension [String] {
  /// The sentences of a story that has gone wrong, numbered, and what was wrong after the last of them.
  ///
  /// - Parameters:
  ///   - expected: What was expected.
  ///   - observed: What has been observed.
  ///   - remark: A closure that returns a remark on the differences, if it has one.
  func asStory(expected: [String], observed: [String], _ remark: ([String]) -> String? = { _ in nil }) -> String {
    /// Adds how often an effect has been observed and how often it was expected, unless that is clear.
    func counted(_ effect: String) -> String {
      let (often, due) = (observed.count { $0 == effect }, expected.count { $0 == effect })
      if often + due == 1 || effect.contains("\n") { return effect }
      return "\(effect) (\(often) \(often == 1 ? "time" : "times") instead of \(due))"
    }
    let missing = expected.without(observed).unique.map(counted)
    let surplus = observed.without(expected).unique.map { effect in
      // A completion that is called again may deliver something else than before.
      guard counted(effect) == effect, let receiver = effect.receiver, observed.count(of: receiver) > 1,
        observed.count(of: receiver) > expected.count(of: receiver)
      else { return counted(effect) }
      return "\(effect) (one result too many)"
    }
    // A trace is compared as a whole: most of its lines may be right.
    let areTraces = (missing + surplus).contains { $0.contains("\n") }
    let differences = [
      (areTraces ? "expected" : "expected, but missing", missing),
      (areTraces ? "observed" : "observed, but not expected", surplus),
    ]
    return
      (enumerated().map { "  \($0.offset + 1). \($0.element)" }
      + differences.filter { !$1.isEmpty }.map { "\($0): \($1.listed)" } + [remark(missing + surplus)].compactMap(\.self))
      .joined(separator: "\n")
  }

  /// The first elements, and the number of the others: an endless loop makes thousands.
  private var listed: String {
    prefix(8).joined(separator: "; ") + (count > 8 ? "; and \(count - 8) more" : "")
  }

  /// The elements without those that are equal to an earlier one.
  private var unique: [String] { indices.filter { firstIndex(of: self[$0]) == $0 }.map { self[$0] } }

  private func count(of receiver: String) -> Int { count { $0.hasPrefix(receiver) } }

  /// The elements that are left if each element of another array is removed once.
  func without(_ others: [String]) -> [String] {
    var rest = self
    for other in others {
      if let index = rest.firstIndex(of: other) { rest.remove(at: index) }
    }
    return rest
  }
}

extension String {
  /// What the effect begins with if it is a result: `/articles receives `.
  fileprivate var receiver: String? {
    guard !hasPrefix("the client "), let end = firstRange(of: " receives ")?.upperBound else { return nil }
    return String(self[..<end])
  }
}
