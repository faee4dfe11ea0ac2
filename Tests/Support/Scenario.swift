import Given
import Testing

/// The objects under test, the spies around them, and what can happen to them.
///
/// A subclass has one method for each event. The method lets the event happen to the lesson's model, if there is one, and calls
/// ``event(_:leadsToAllOf:at:_:)`` to let it happen to the objects under test. A test that tells a story calls these methods one
/// after the other, and lists what each event leads to: see ``story(_:_:sourceLocation:_:)``. A ``RandomEvent`` calls one of them
/// with random arguments, and the model alone says what it leads to: see
/// ``expectNoStoryGoesWrong(count:of:in:sourceLocation:)``. In both, a story that goes wrong is reported in sentences.
open class Scenario {
  /// The objects that must not be alive when the story has ended.
  public let leaks = LeakTracker()
  private var sentences: [String]
  private var rule: String?
  private var listed: [String] = []
  private var isEnding = false
  /// How the story has gone wrong, as the learner reads it. Nothing happens in it anymore.
  private(set) var failure: String?

  /// Creates a scenario before the first event.
  ///
  /// - Parameter setting: What is so at first, as a sentence.
  public init(setting: String) {
    sentences = [setting]
  }

  /// Whether a test tells the story. Otherwise, its events are random.
  public var isTold: Bool { rule != nil }

  /// What has been observed so far: sends, deliveries, states. The order does not matter.
  ///
  /// It is read repeatedly, since a solution may work on a queue or in a task. Where a lesson promises an order, one entry states
  /// the order.
  open func observed() async -> [String] { [] }

  /// What the model says must have been observed so far, in the same words; `nil` without a model.
  open var predicted: [String]? { nil }

  /// A remark on the differences between what was expected and what has been observed, if there is one.
  open func remark(on differences: [String]) -> String? { nil }

  /// Releases the objects under test, unless they have been released.
  open func release() async {}

  /// Ends something that is in progress; `nil` if nothing is.
  open func nextEnding() -> (() async -> Void)? { nil }

  /// The message for the learner about an object that is alive when a told story has ended.
  open var leakMessage: String {
    "The app has released everything, and nothing is in flight. Which closure still retains an object?"
  }

  /// Lets an event happen, and checks that it leads to certain effects, in any order, and to nothing else.
  ///
  /// - Parameters:
  ///   - sentence: What happens.
  ///   - effects: What it leads to, if a test tells the story.
  ///   - place: The source location of issues.
  ///   - work: What happens to the objects under test.
  public func event(
    _ sentence: String, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation,
    _ work: () async -> Void = {}
  ) async {
    guard failure == nil else { return }
    sentences.append(sentence)
    await work()
    if isTold, isEnding {
      // Only leaks are reported now. But a solution may work on a queue or in a task, and what this has led to has to end, too.
      if let predicted { await eventually { await observed().sorted() == predicted.sorted() } }
      return
    }
    listed += effects
    let expected = isTold ? listed : predicted ?? []
    if let stuck = Deadline.current?.stuck {
      let question = "does it wait for a result, or for a lock that is held while a completion is called?"
      return fail(expected: [], observed: ["\(stuck) (\(question))"], at: place)
    }
    guard await agrees(with: expected) else { return await fail(expected: expected, observed: observed(), at: place) }
    if isTold, let predicted, predicted.sorted() != expected.sorted() {
      let differences = "It lacks: \(predicted.without(expected)). It should not list: \(expected.without(predicted))."
      fail("The model disagrees with this list of effects. \(differences)", at: place)
    }
  }

  /// Adds words to the sentence about the event that is happening.
  public func add(_ words: String) {
    sentences[sentences.count - 1] += words
  }

  /// Ends an event that is impossible at this point. A random story continues with the next one; in a told one, it is a mistake.
  public func impossible(_ event: String = #function, at place: SourceLocation = #_sourceLocation) {
    if isTold, !isEnding, failure == nil { fail("This can't happen here: \(event).", at: place) }
  }

  /// Whether what has been observed becomes what is expected.
  private func agrees(with expected: [String]) async -> Bool {
    func isExpected(_ observed: [String]) -> Bool {
      observed == expected || observed.count == expected.count && observed.sorted() == expected.sorted()
    }
    guard isTold else { return await eventually { await isExpected(observed()) } }
    // If something else has been observed, the rest of it follows soon.
    let isDecided = await eventually {
      let observed = await observed()
      return isExpected(observed) || !observed.without(expected).isEmpty
    }
    guard isDecided else { return false }
    return await Deadline.$current.withValue(Deadline(seconds: 0.2)) { await eventually { await isExpected(observed()) } }
  }

  private func fail(expected: [String], observed: [String], at place: SourceLocation) {
    fail(sentences.asStory(expected: expected, observed: observed, remark), at: place)
  }

  private func fail(_ failure: String, at place: SourceLocation) {
    self.failure = failure
    if let rule { Issue.record("\(rule)\n\(failure)", sourceLocation: place) }
  }

  /// Lets a test tell a story.
  fileprivate func tell(_ rule: String, _ place: SourceLocation, _ events: () async -> Void) async {
    self.rule = rule
    await events()
    await mainQueueDrained()
    await event("Nothing else happens.", at: place)
    await endEverything()
    if failure == nil { await leaks.expectReleased("\(leakMessage)", sourceLocation: place) }
  }

  /// Ends a random story.
  ///
  /// - Parameter releasesFirst: Whether the objects under test are released before what is in progress ends, and not afterward.
  func end(releasingFirst releasesFirst: Bool) async {
    await endEverything(releasingFirst: releasesFirst)
    if failure != nil { return }
    if await eventually({ leaks.alive.isEmpty }) { return }
    fail(
      expected: ["everything is released when the story has ended"],
      observed: Set(leaks.alive).sorted().map { "\($0) is still alive" }, at: #_sourceLocation)
  }

  /// Releases everything, and ends what is in progress. In a random story, that leads to what the model says.
  private func endEverything(releasingFirst releasesFirst: Bool = true) async {
    if failure != nil { return }
    isEnding = true
    if releasesFirst { await release() }
    // No story leaves more than this in progress: a solution that repeats requests forever must not hang the run.
    for _ in 0..<64 where failure == nil {
      guard let ending = nextEnding() else { break }
      await ending()
    }
    if !releasesFirst { await release() }
  }
}

/// Tells a story: lets a few events happen that a test chooses.
///
/// After each event, exactly what the events so far lead to must have been observed, in any order. When the events are over,
/// whatever is in flight ends. Then everything should be released.
///
/// - Parameters:
///   - scenario: A scenario before the first event.
///   - rule: The rule that the story shows, as a sentence for the learner. It is the message of every failure.
///   - sourceLocation: The source location of issues.
///   - events: What happens.
public func story<World: Scenario>(
  _ scenario: World, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation, _ events: (World) async -> Void
) async {
  await Deadline.$current.withValue(Deadline.current ?? Deadline()) {
    await scenario.tell(rule, sourceLocation) { await events(scenario) }
  }
}
