import Given
import TestSupport

/// What the page promises of the profile screen, as plain values.
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

  /// What the screen has shown before the last event, without repetitions.
  private var shown: [String] = []

  var isLoading: Bool { loads.last.map { !$0.isOver } ?? false }

  /// A load that was canceled may count as over before the service has ended it.
  var mayHideIndicator: Bool { loads.last.map { $0.isCanceled && !$0.isOver } ?? false }

  /// What the screen shows.
  var screen: String { screen(profile: profile, message: message, isLoading: isLoading) }

  /// The numbers of the loads that have not ended.
  var open: [Int] { loads.filter { !$0.isOver }.map(\.number) }

  func isCanceled(_ number: Int) -> Bool { loads[number - 1].isCanceled }

  /// A solution may cancel a load that a newer one has replaced.
  func mayBeCanceled(_ number: Int) -> Bool { number < loads.count && !isCanceled(number) }

  var effects: [String] {
    changes(to: screen)
      + loads.flatMap { load in
        ["the service is called"] + (load.isCanceled ? ["the cancellation of load \(load.number) reaches the service"] : [])
      }
  }

  /// What the screen has shown, change by change, if it now shows this. What it has shown before is shown again.
  func changes(to screen: String) -> [String] {
    let all = shown + (screen == shown.last ? [] : [screen])
    return all.indices.dropFirst().map { all[..<$0].contains(all[$0]) ? "again, \(all[$0])" : all[$0] }
  }

  mutating func load() {
    note()
    loads.append(Load(number: loads.count + 1))
    mayRemoveMessage = true
  }

  mutating func cancel(_ number: Int) {
    note()
    loads[number - 1].isCanceled = true
  }

  mutating func end(_ number: Int, with result: Result<String, SampleError>) {
    note()
    loads[number - 1].isOver = true
    guard number == loads.count, !loads[number - 1].isCanceled else { return }
    switch result {
    case .success(let new): (profile, message, mayRemoveProfile) = (new, nil, false)
    case .failure(let trouble): (message, mayRemoveProfile, mayRemoveMessage) = (trouble.error.localizedDescription, true, false)
    }
  }

  func screen(profile: String?, message: String?, isLoading: Bool) -> String {
    let parts = [isLoading ? "the indicator" : nil, profile, message.map { "\"\($0)\"" }].compactMap(\.self)
    if parts.isEmpty { return "the screen is empty" }
    return "the screen shows \(parts.joined(separator: " and "))\(isLoading ? "" : ", without the indicator")"
  }

  /// Remembers what the screen shows before an event.
  private mutating func note() {
    if screen != shown.last { shown.append(screen) }
  }
}
