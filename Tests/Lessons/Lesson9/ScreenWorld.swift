import Given
import TestSupport
import Testing

import struct TestSupport.RandomEvent
import struct TestSupport.Running
import enum TestSupport.SampleError
import class TestSupport.Scenario

@testable import Exercise9

/// The profile screen, and a service that takes its time to end a canceled call.
final class ScreenWorld: Scenario {
  private let service = AsyncProfileServiceSpy()
  private var sut: ProfileViewModel?
  private var loads: [Running<Void>] = []
  private var model = ScreenModel()

  init() {
    super.init(setting: "The user opens the profile screen.")
  }

  func load(leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    model.load()
    await event("Load \(model.loads.count) starts.", leadsToAllOf: effects, at: place) {
      if sut == nil { sut = await leaks.track(ProfileViewModel(service: service)) }
      if let sut { loads.append(await sut.startLoad()) }
    }
  }

  func loadSucceeds(
    _ number: Int, with name: String, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard model.open.contains(number) else { return impossible(at: place) }
    model.end(number, with: .success(name))
    await event("The service ends load \(number) with \(name)'s profile.", leadsToAllOf: effects, at: place) {
      service.calls.finish(number - 1, with: .success(Profile(userName: name, address: "")))
    }
  }

  func loadFails(
    _ number: Int, with trouble: SampleError, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation
  ) async {
    guard model.open.contains(number) else { return impossible(at: place) }
    model.end(number, with: .failure(trouble))
    await event("The service ends load \(number) with the error \(trouble.inWords).", leadsToAllOf: effects, at: place) {
      service.calls.finish(number - 1, with: .failure(trouble.error))
    }
  }

  func cancel(_ number: Int, leadsToAllOf effects: [String] = [], at place: SourceLocation = #_sourceLocation) async {
    guard model.open.contains(number), !model.isCanceled(number) else { return impossible(at: place) }
    model.cancel(number)
    await event("Load \(number) is canceled. The service is still loading.", leadsToAllOf: effects, at: place) {
      loads[number - 1].cancel()
    }
  }

  override func observed() async -> [String] {
    let (sut, model) = (sut, model)
    let screen = await MainActor.run {
      model.screen(
        // What the page leaves open counts as expected.
        profile: sut?.profile?.userName ?? (model.mayRemoveProfile || sut == nil ? model.profile : nil),
        message: sut?.message ?? (model.mayRemoveMessage || sut == nil ? model.message : nil),
        isLoading: model.mayHideIndicator ? model.isLoading : sut?.isLoading ?? model.isLoading)
    }
    let canceled = service.calls.cancelled.map { $0 + 1 }.filter { !model.mayBeCanceled($0) }
    return model.changes(to: screen) + service.calls.arguments.map { "the service is called" }
      + canceled.map { "the cancellation of load \($0) reaches the service" }
  }

  override var predicted: [String]? { model.effects }

  override func release() async {
    guard sut != nil else { return }
    sut = nil
    await event("The user closes the screen.")
  }

  override func nextEnding() -> (() async -> Void)? {
    guard let number = model.open.last else { return nil }
    return { [self] in await loadFails(number, with: .offline) }
  }
}

extension ScreenWorld {
  /// What may happen in a random story. What the page leaves open may not.
  static var randomEvents: [RandomEvent<ScreenWorld>] {
    [
      RandomEvent(4) { world, _ in await world.load() },
      RandomEvent(3) { world, random in
        let name = ["Ada", "Ada", "Grace"].randomElement(using: &random)!
        guard let number = world.model.open.newest(using: &random) else { return }
        // Whether a profile is shown that arrives although the newest load was canceled is left open.
        guard number < world.model.loads.count || !world.model.isCanceled(number) else { return }
        await world.loadSucceeds(number, with: name)
      },
      RandomEvent(2) { world, random in
        let trouble = SampleError.random(using: &random)
        guard let number = world.model.open.newest(using: &random) else { return }
        // What the error of a cancellation means is left open if no one has canceled the load.
        guard !trouble.error.isCancellation || world.model.isCanceled(number) else { return }
        await world.loadFails(number, with: trouble)
      },
      RandomEvent(1) { world, random in
        let running = world.model.open.filter { !world.model.isCanceled($0) }
        guard let number = running.newest(using: &random) else { return }
        await world.cancel(number)
      },
    ]
  }
}

extension ProfileViewModel {
  /// Starts a load in a task of its own.
  fileprivate func startLoad() -> Running<Void> {
    Running { await self.load() }
  }
}
