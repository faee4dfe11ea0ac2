import Given
import TestSupport

@testable import Exercise9

/// A story about the profile screen, its loads, and a service that takes its time to end a canceled call.
final class ScreenStory: Story {
  enum Event: Sendable {
    case load
    case end(Int = 0, with: Result<String, Trouble>)
    case cancel(Int = 0)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return .load
    case 4..<7: return .end(position, with: .success(["Ada", "Ada", "Grace"].randomElement(using: &random)!))
    case 7..<9: return .end(position, with: .failure(.random(using: &random)))
    default: return .cancel(position)
    }
  }

  let leaks = LeakTracker()
  private let service = AsyncProfileServiceSpy()
  private var sut: ProfileViewModel?
  private var loads: [Running<Void>] = []
  private var model = ScreenModel()
  /// What the screen has shown before the last event, without repetitions. The model agreed each time.
  private var shown = [ScreenModel().screen]

  init() {}
  convenience init(using random: inout SeededRandom) { self.init() }

  var setting: [String] { ["The user opens the profile screen."] }

  func play(_ event: Event) async -> String? {
    if model.screen != shown.last { shown.append(model.screen) }
    return switch event {
    case .load: await load()
    case .end(let position, let result): end(at: position, with: result)
    case .cancel(let position): cancel(at: position)
    }
  }

  var expected: [String] {
    changes(to: model.screen)
      + model.loads.flatMap { load in
        ["the service is called"] + (load.isCanceled ? ["the cancellation of load \(load.number) reaches the service"] : [])
      }
  }

  var observed: [String] {
    get async {
      let (sut, model) = (sut, model)
      let screen = await MainActor.run {
        model.screen(
          // What the page leaves open counts as expected.
          profile: sut?.profile?.userName ?? (model.mayRemoveProfile || sut == nil ? model.profile : nil),
          message: sut?.message ?? (model.mayRemoveMessage || sut == nil ? model.message : nil),
          isLoading: model.mayHideIndicator ? model.isLoading : sut?.isLoading ?? model.isLoading)
      }
      let canceled = service.calls.cancelled.filter { !model.mayBeCanceled($0) }
      return changes(to: screen) + service.calls.arguments.map { "the service is called" }
        + canceled.map { "the cancellation of load \($0 + 1) reaches the service" }
    }
  }

  /// What the screen has shown, change by change. What it has shown before is shown again.
  private func changes(to screen: String) -> [String] {
    let all = shown + (screen == shown.last ? [] : [screen])
    return all.indices.dropFirst().map { all[..<$0].contains(all[$0]) ? "again, \(all[$0])" : all[$0] }
  }

  func release() -> String? {
    guard sut != nil else { return nil }
    sut = nil
    return "The user closes the screen."
  }

  func nextEnding() -> Event? { service.calls.unfinished.isEmpty ? nil : .end(0, with: .failure(.offline)) }

  private func load() async -> String? {
    let sut: ProfileViewModel
    if let existing = self.sut {
      sut = existing
    } else {
      sut = await leaks.track(ProfileViewModel(service: service))
    }
    self.sut = sut
    model.load()
    loads.append(await sut.startLoad())
    return "Load \(loads.count) starts."
  }

  private func end(at position: Int, with result: Result<String, Trouble>) -> String? {
    guard let index = service.calls.unfinished.newest(position), model.loads.indices.contains(index) else { return nil }
    // What does the error of a cancellation mean if no one has canceled the load? The page leaves that open.
    if case .failure(let trouble) = result, trouble.error.isCancellation, !model.loads[index].isCanceled { return nil }
    // And a profile that arrives although the newest load was canceled?
    if case .success = result, index == model.loads.count - 1, model.loads[index].isCanceled { return nil }
    model.end(index, with: result)
    service.calls.finish(index, with: result.map { Profile(userName: $0, address: "") }.mapError(\.error))
    switch result {
    case .success(let name): return "The service ends load \(index + 1) with \(name)'s profile."
    case .failure(let trouble): return "The service ends load \(index + 1) with the error \(trouble.inWords)."
    }
  }

  private func cancel(at position: Int) -> String? {
    let open = model.loads.indices.filter { !model.loads[$0].isOver && !model.loads[$0].isCanceled }
    guard let index = open.newest(position) else { return nil }
    model.cancel(index)
    loads[index].cancel()
    return "Load \(index + 1) is canceled. The service is still loading."
  }
}

/// What the page promises, as plain values.
struct ScreenModel {
  struct Load {
    /// 1 is the first.
    let number: Int
    var isCanceled = false
    var isOver = false
  }

  private(set) var loads: [Load] = []
  private(set) var profile: String?
  private(set) var message: String?
  /// An older profile may disappear with a failure.
  private(set) var mayRemoveProfile = false
  /// An older message may disappear when a load starts, or stay until it ends.
  private(set) var mayRemoveMessage = false

  var isLoading: Bool { loads.last.map { !$0.isOver } ?? false }

  /// A load that was canceled may count as over before the service has ended it.
  var mayHideIndicator: Bool { loads.last.map { $0.isCanceled && !$0.isOver } ?? false }

  /// What the screen shows.
  var screen: String { screen(profile: profile, message: message, isLoading: isLoading) }

  /// A solution may cancel a load that a newer one has replaced.
  func mayBeCanceled(_ index: Int) -> Bool {
    loads.indices.contains(index) && index < loads.count - 1 && !loads[index].isCanceled
  }

  mutating func load() {
    loads.append(Load(number: loads.count + 1))
    mayRemoveMessage = true
  }

  mutating func cancel(_ index: Int) {
    loads[index].isCanceled = true
  }

  mutating func end(_ index: Int, with result: Result<String, Trouble>) {
    loads[index].isOver = true
    guard index == loads.count - 1, !loads[index].isCanceled else { return }
    switch result {
    case .success(let new): (profile, message, mayRemoveProfile) = (new, nil, false)
    case .failure(let trouble):
      (message, mayRemoveProfile, mayRemoveMessage) = (trouble.error.localizedDescription, true, false)
    }
  }

  func screen(profile: String?, message: String?, isLoading: Bool) -> String {
    let parts = [isLoading ? "the indicator" : nil, profile, message.map { "\"\($0)\"" }].compactMap(\.self)
    if parts.isEmpty { return "the screen is empty" }
    return "the screen shows \(parts.joined(separator: " and "))\(isLoading ? "" : ", without the indicator")"
  }
}

extension ProfileViewModel {
  /// Starts a load in a task of its own.
  fileprivate func startLoad() -> Running<Void> {
    Running { await self.load() }
  }
}
