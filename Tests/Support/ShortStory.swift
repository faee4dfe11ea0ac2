import Testing

/// A story that someone has written: a few events, and what each of them leads to.
///
/// After each event, exactly what the events so far lead to must have been observed, in any order. The rule that the story shows
/// is the message of every failure.
public final class ShortStory {
  /// The rule that the next events show, as a sentence for the learner.
  public var rule: String
  private let observed: () async -> [String]
  private let remark: ([String]) -> String?
  private var told: [String]
  private var expected: [String] = []
  /// Whether the story has gone wrong. Nothing happens in it anymore.
  public private(set) var hasFailed = false

  /// Begins a story.
  ///
  /// - Parameters:
  ///   - rule: The rule, as a sentence for the learner.
  ///   - setting: The setting, as a sentence.
  ///   - remark: A closure that returns a remark on the differences between what was expected and what was observed, if it has one.
  ///   - observed: A closure that returns everything that has been observed so far.
  public init(
    _ rule: String, setting: String, remarking remark: @escaping ([String]) -> String? = { _ in nil },
    observing observed: @escaping () async -> [String]
  ) {
    (self.rule, told, self.observed, self.remark) = (rule, [setting], observed, remark)
  }

  /// Tells what happens, without waiting for anything.
  public func tell(_ sentence: String) {
    told.append(sentence)
  }

  /// Lets something happen, and waits until exactly what it leads to has been observed. Reports an issue if that does not happen.
  ///
  /// - Parameters:
  ///   - sentence: What happens, as a sentence.
  ///   - effects: What it leads to, in the words of the observations.
  ///   - sourceLocation: The source location of the issue.
  ///   - event: The event.
  public func play(
    _ sentence: String, leadingTo effects: [String], sourceLocation: SourceLocation, _ event: () async -> Void
  ) async {
    await play(leadingTo: effects, sourceLocation: sourceLocation) {
      await event()
      return sentence
    }
  }

  /// Lets something happen that returns a sentence about itself: see ``play(_:leadingTo:sourceLocation:_:)``.
  public func play(leadingTo effects: [String], sourceLocation: SourceLocation, _ event: () async -> String) async {
    guard !hasFailed else { return }
    await Patience.$current.withValue(Patience.current ?? Patience()) {
      expected += effects
      told.append(await event())
      let stuck = Patience.current?.stuck
      if stuck == nil, await agrees() { return }
      hasFailed = true
      let differences = stuck.map { told.asStory(expected: [], observed: [$0]) }
      let end = if let differences { differences } else { told.asStory(expected: expected, observed: await observed(), remark) }
      Issue.record("\(rule)\n\(end)", sourceLocation: sourceLocation)
    }
  }

  /// Whether what has been observed becomes what is expected. If something else has been observed, the rest of it follows soon.
  private func agrees() async -> Bool {
    let isDecided = await eventually {
      let observed = await observed()
      return observed.sorted() == expected.sorted() || !observed.without(expected).isEmpty
    }
    guard isDecided else { return false }
    return await Patience.$current.withValue(Patience(seconds: 0.2)) {
      await eventually { await observed().sorted() == expected.sorted() }
    }
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
  fileprivate func without(_ others: [String]) -> [String] {
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
