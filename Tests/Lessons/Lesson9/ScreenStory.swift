import Given
import TestSupport

@testable import Exercise9

/// A story about the profile screen, its loads, and a service that takes its time to end a canceled call.
final class ScreenStory: Story {
  enum Event: Sendable {
    case load
    case succeed(Int, userName: String)
    case fail(Int, Trouble)
    case cancel(Int)
  }

  static func event(using random: inout SeededRandom) -> Event {
    let position = [0, 0, 1, 2, 3].randomElement(using: &random)!
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return .load
    case 4..<7: return .succeed(position, userName: ["Ada", "Ada", "Grace"].randomElement(using: &random)!)
    case 7..<9: return .fail(position, .random(using: &random))
    default: return .cancel(position)
    }
  }

  let leaks = LeakTracker()
  private let service = AsyncProfileServiceSpy(endsWhenCanceled: false)
  private var sut: ProfileViewModel?
  private var loads: [Running<Void>] = []
  private var model = ScreenModel()

  init(using random: inout SeededRandom) {}

  var setting: [String] { ["The user opens the profile screen."] }

  func play(_ event: Event) async -> String? {
    switch event {
    case .load: await load()
    case .succeed(let position, let userName): end(at: position, with: .success(Profile(userName: userName, address: "")))
    case .fail(let position, let failure): end(at: position, with: .failure(failure.error))
    case .cancel(let position): cancel(at: position)
    }
  }

  var expected: [String] {
    model.words(profile: model.profile, message: model.message, isLoading: model.isLoading)
      + model.loads.flatMap { load in
        ["the service is called"] + (load.isCanceled ? ["the cancellation of load \(load.number) reaches the service"] : [])
          + (load.isOver ? ["load \(load.number) returns"] : [])
      }
  }

  var observed: [String] {
    get async {
      let (sut, model) = (sut, model)
      let screen = await MainActor.run {
        model.words(
          // What the page leaves open counts as expected.
          profile: sut?.profile?.userName ?? (model.mayRemoveProfile || sut == nil ? model.profile : nil),
          message: sut?.message ?? (model.mayRemoveMessage || sut == nil ? model.message : nil),
          isLoading: model.mayHideIndicator ? model.isLoading : sut?.isLoading ?? model.isLoading)
      }
      let canceled = service.calls.cancelled
      let loads = model.loads.flatMap { load in
        let mayReturnEarly = !load.isOver && (load.isCanceled || model.isReplaced(load))
        let mayBeCanceled = !load.isCanceled && model.isReplaced(load)
        let isCanceled = canceled.contains(load.number - 1)
        return (isCanceled && !mayBeCanceled ? ["the cancellation of load \(load.number) reaches the service"] : [])
          + (self.loads[load.number - 1].hasEnded && !mayReturnEarly ? ["load \(load.number) returns"] : [])
      }
      return screen + loads + service.calls.arguments.map { "the service is called" }
    }
  }

  func release() -> String? {
    guard sut != nil else { return nil }
    sut = nil
    return "The user closes the screen."
  }

  func nextEnding() -> Event? {
    service.calls.unfinished.isEmpty ? nil : .succeed(0, userName: "Alan")
  }

  private func load() async -> String? {
    let sut: ProfileViewModel
    if let existing = self.sut { sut = existing } else { sut = await leaks.track(ProfileViewModel(service: service)) }
    self.sut = sut
    model.load()
    loads.append(await sut.startLoad())
    return "Load \(loads.count) starts."
  }

  private func end(at position: Int, with result: Result<Profile, any Error>) -> String? {
    guard let index = service.calls.unfinished.newest(position), model.loads.indices.contains(index) else { return nil }
    // What does the error of a cancellation mean if no one has canceled the load? The page leaves that open.
    if let error = result.failure, error.isCancellation, !model.loads[index].isCanceled { return nil }
    model.end(index, with: result)
    service.calls.finish(index, with: result)
    let end = result.failure.map { "the error \($0.inWords)" } ?? "\((try? result.get())?.userName ?? "")'s profile"
    return "The service ends load \(index + 1) with \(end)."
  }

  private func cancel(at position: Int) -> String? {
    let open = model.loads.indices.filter { !model.loads[$0].isOver && !model.loads[$0].isCanceled }
    guard let index = open.newest(position) else { return nil }
    model.cancel(index)
    loads[index].cancel()
    return "Load \(index + 1) is canceled. The service hasn't ended it yet."
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

  func isReplaced(_ load: Load) -> Bool { load.number < loads.count }

  mutating func load() {
    loads.append(Load(number: loads.count + 1))
    mayRemoveMessage = true
  }

  mutating func cancel(_ index: Int) {
    loads[index].isCanceled = true
  }

  mutating func end(_ index: Int, with result: Result<Profile, any Error>) {
    loads[index].isOver = true
    guard !isReplaced(loads[index]), !loads[index].isCanceled else { return }
    switch result {
    case .success(let new): (profile, message, mayRemoveProfile) = (new.userName, nil, false)
    case .failure(let error): (message, mayRemoveProfile, mayRemoveMessage) = (error.localizedDescription, true, false)
    }
  }

  func words(profile: String?, message: String?, isLoading: Bool) -> [String] {
    [
      "`profile` is \(profile ?? "nil")", "`message` is \(message.map { "\"\($0)\"" } ?? "nil")", "`isLoading` is \(isLoading)",
    ]
  }
}

extension ProfileViewModel {
  /// Starts a load in a task of its own.
  fileprivate func startLoad() -> Running<Void> {
    Running { await self.load() }
  }
}
