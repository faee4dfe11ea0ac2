import Given
import TestSupport
import Testing

import class TestSupport.Inbox
import class TestSupport.ManualClock
import struct TestSupport.RandomEvent
import struct TestSupport.Running
import enum TestSupport.SampleError
import class TestSupport.Scenario
import func TestSupport.eventually

@testable import Exercise9

/// The learner's credentials provider, its callers, and a clock.
final class RefreshWorld: Scenario {
  private let clock = ManualClock()
  private let refresher = AsyncCredentialsRefresherSpy()
  private let store: CredentialsStoreSpy
  private let queue = OneQueue()
  private let results = Inbox<(call: RefreshModel.Call, word: String)>()
  private var sut: CredentialsProvider?
  private var callers: [Running<Void>] = []
  private var model: RefreshModel
  private var names = StoryNames()

  /// - Parameters:
  ///   - lifetime: The time in seconds until the stored credentials expire.
  ///   - isSignedIn: Whether a user is signed in.
  init(lifetime: TimeInterval = 0, isSignedIn: Bool = true) {
    let first = isSignedIn ? names.credentials(of: names.user(), expiringAt: clock.date + lifetime) : nil
    store = CredentialsStoreSpy(first)
    model = RefreshModel(stored: first)
    let user = first.map { "Ada is signed in with \($0.inWords)." } ?? "No one is signed in."
    super.init(setting: "It is \(clock.date.inWords). \(user)")
    sut = CredentialsProvider(store: store, refresher: refresher, now: { [clock] in clock.readDate() })
    leaks.track(sut as AnyObject)
  }

  /// Callers call `credentials()`.
  ///
  /// - Parameter again: Whether each of them calls once more after the result.
  func call(
    _ count: Int = 1, again: Bool = false, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    let numbers = (1...count).map { callers.count + $0 }
    for number in numbers { model.call(number, again: again, at: clock.date) }
    let names =
      count == 1 ? "Caller \(numbers[0]) calls" : "Callers \(numbers[0]) \(count == 2 ? "and" : "to") \(numbers[count - 1]) call"
    let more = again ? ", and once more after the result" : ""
    await event("\(time): \(names) `credentials()`\(more).", leadsToAllOf: effects, at: place) {
      for number in numbers { start(number, again: again) }
      await settled()
    }
  }

  func refreshSucceeds(
    _ refreshToken: String, lifetime: TimeInterval = 900, keepingRefreshToken: Bool = false, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let old = model.beingRefreshed, old.refreshToken == refreshToken else { return impossible(at: place) }
    let new = names.renewed(old, keepingRefreshToken: keepingRefreshToken, expiringAt: clock.date + lifetime)
    let sentence = "\(time): The refresh with \(refreshToken) succeeds with \(new.inWords)."
    await event(sentence, leadsToAllOf: effects, at: place) { await end(old, with: .success(new)) }
  }

  func refreshFails(
    _ refreshToken: String, with trouble: SampleError, leadsToAllOf effects: [String] = [],
    at place: SourceLocation = #_sourceLocation
  ) async {
    guard let old = model.beingRefreshed, old.refreshToken == refreshToken else { return impossible(at: place) }
    let sentence = "\(time): The refresh with \(refreshToken) fails with \(trouble.inWords)."
    await event(sentence, leadsToAllOf: effects, at: place) { await end(old, with: .failure(trouble.error)) }
  }

  func cancel(_ caller: Int, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard let call = model.waiting.first(where: { $0.caller == caller }) else { return impossible(at: place) }
    model.cancel(call)
    await event("\(time): Caller \(caller) is canceled.", leadsToAllOf: effects, at: place) {
      callers[caller - 1].cancel()
      await settled()
    }
  }

  func advance(by seconds: TimeInterval, at place: SourceLocation = #_sourceLocation) async {
    clock.advance(by: seconds)
    await event("\(seconds) seconds pass. It is \(time).", at: place)
  }

  override func observed() async -> [String] {
    let refreshes = refresher.calls.arguments
    let canceled = refresher.calls.cancelled.map { refreshes[$0] }
    return refreshes.map { "a refresh with \($0) starts" }
      + store.writes.values.map { $0.map { "\($0.accessToken) is stored" } ?? "the store is emptied" }
      + canceled.map { "the refresh with \($0) is canceled" }
      // A canceled caller may end before the refresh.
      + results.values.filter { !model.mayEndEarly($0.call) }.map(model.inWords)
  }

  override var predicted: [String]? { model.effects + model.results.map(model.inWords) }

  override func remark(on differences: [String]) -> String? { clock.remark(on: differences, about: "a refresh with") }

  override func release() async { sut = nil }

  override func nextEnding() -> (() async -> Void)? {
    guard let old = model.beingRefreshed else { return nil }
    return { [self] in await refreshSucceeds(old.refreshToken) }
  }

  private func start(_ number: Int, again: Bool) {
    guard let sut else { return }
    callers.append(
      Running(on: queue) { [results, store] in
        results.receive((.init(caller: number), await sut.result(with: store)))
        guard again, !Task.isCancelled else { return }
        results.receive((.init(caller: number, isSecond: true), await sut.result(with: store)))
      })
  }

  /// Ends a refresh, and waits until every caller has come as far as it can.
  private func end(_ old: Credentials, with result: Result<Credentials, any Error>) async {
    model.endRefresh(with: result, at: clock.date)
    let calls = refresher.calls
    let open = calls.unfinished.last { calls.arguments[$0] == old.refreshToken }
    if let open { calls.finish(open, with: result) }
    await settled()
  }

  /// Waits until every caller has come as far as it can.
  private func settled() async {
    // Callers may call again after the results that the story waits for.
    await eventually { await observed().sorted() == predicted?.sorted() }
    await queue.settled()
    // A solution may continue in another task. Each round has the lowest priority, so it runs after that.
    for round in 0..<20 where round < 1 || store.reads.values.count < model.reads {
      await Task.detached(priority: .background) {}.value
    }
    await queue.settled()
  }

  private var time: String { clock.date.inWords }
}

extension RefreshWorld {
  /// What may happen in a random story. What the page leaves open may not.
  static var randomEvents: [RandomEvent<RefreshWorld>] {
    [
      RandomEvent(6) { world, random in
        await world.call(.random(in: 1...3, using: &random), again: Int.random(in: 0..<3, using: &random) == 2)
      },
      RandomEvent(3) { world, random in
        let lifetime = [900, 0, 0.2, 0.6].randomElement(using: &random)!
        let keepsToken = Bool.random(using: &random)
        guard let old = world.model.beingRefreshed else { return }
        await world.refreshSucceeds(old.refreshToken, lifetime: lifetime, keepingRefreshToken: keepsToken)
      },
      RandomEvent(4) { world, random in
        let trouble = Int.random(in: 0..<3, using: &random) == 0 ? .refused : SampleError.random(using: &random)
        guard let old = world.model.beingRefreshed else { return }
        await world.refreshFails(old.refreshToken, with: trouble)
      },
      RandomEvent(2) { world, random in
        guard let call = world.model.waiting.randomElement(using: &random) else { return }
        await world.cancel(call.caller)
      },
      RandomEvent(2) { world, random in
        await world.advance(by: [900, 899.9, 60, 0.5, 0.1].randomElement(using: &random)!)
      },
    ]
  }
}

extension CredentialsProvider {
  /// The access token, or the error in words. Credentials should be in the store before they are returned.
  fileprivate nonisolated func result(with store: CredentialsStoreSpy) async -> String {
    do {
      let credentials = try await credentials()
      return credentials.accessToken + (credentials == store.stored ? "" : ", which is not in the store")
    } catch {
      return error.inWords
    }
  }
}

extension Credentials {
  fileprivate var inWords: String { "\(accessToken) (expiry: \(expiresAt.inWords), refresh token: \(refreshToken))" }
}
