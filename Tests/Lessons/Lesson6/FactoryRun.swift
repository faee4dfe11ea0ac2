import Given
import ManagerUnderTest
import TestSupport

import struct ManagerUnderTest.ManagerModel
import class ManagerUnderTest.ManagerRun
import struct TestSupport.RandomEvent
import struct TestSupport.SeededRandom

@testable import Exercise6

/// Requests that the app loads with clients from a factory.
final class FactoryRun: ManagerRun {
  /// The arguments of `makeClient`. A factory may know other environments, too. The page says nothing about them.
  private struct Kind {
    let environment: HTTPClientFactory.Environment
    let blocksAccounts: Bool?

    init(using random: inout SeededRandom) {
      (environment, blocksAccounts) = (random.pick(.debug, .production, .guest), random.pick(nil, true, false))
    }

    var inWords: String {
      "a \(environment) client" + (blocksAccounts.map { $0 ? " (with blocking)" : " (without blocking)" } ?? "")
    }

    /// The table on the page.
    var layers: ManagerModel.Layers {
      if case .guest = environment { return .chosen(blocks: false, authorizes: false, logs: true) }
      let isLogged = if case .debug = environment { true } else { false }
      return .chosen(blocks: blocksAccounts ?? true, authorizes: true, logs: isLogged)
    }
  }

  private var factory: HTTPClientFactory?
  private var kinds: [Kind]

  init(using random: inout SeededRandom) {
    let kind = Kind(using: &random)
    kinds = [kind]
    super.init(" The factory makes client 1, \(kind.inWords).", using: &random)
    factory = app.makeFactory()
    client(0)
  }

  override var layers: [ManagerModel.Layers] { kinds.map(\.layers) }

  override func name(_ index: Int) -> String { "client \(index + 1)" }

  override func makeClient(_ index: Int) -> (any HTTPClient)? {
    guard let factory else { return nil }
    let client = app.client(kinds[index].environment, blocksAccounts: kinds[index].blocksAccounts, from: factory)
    leaks.track(client as AnyObject)
    return client
  }

  /// The whole trace, in order. The traces of two requests mix in any order.
  override func observable(_ trace: ManagerModel.Trace) -> [String] {
    // How often the refresh reads the store is its own business.
    let entries = trace.entries.filter { $0 != "store: credentials?" }
    guard let path = trace.path, !entries.isEmpty else { return entries }
    return ["the trace of \(path) is \(entries.joined(separator: " → "))"]
  }

  override func release() async {
    factory = nil
    await super.release()
  }

  static let events: [RandomEvent<FactoryRun>] =
    managerEvents() + [
      RandomEvent(4) { run, random in
        guard run.factory != nil else { return }
        let kind = Kind(using: &random)
        run.kinds.append(kind)
        await run.event("The factory makes client \(run.kinds.count), \(kind.inWords).") { run.client(run.kinds.count - 1) }
      },
      RandomEvent(2) { run, _ in
        guard run.factory != nil else { return }
        await run.event("The app releases the factory.") { run.factory = nil }
      },
    ]
}
