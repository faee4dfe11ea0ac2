// The factory remembers a stack for each environment, so that all clients for it share a refresh, with blocking or without.

import Given
import Solution3
import Solution4
import Solution5

struct HTTPClientFactory {
  enum Environment {
    case debug
    case production
    case guest
  }

  let session: URLSession
  let store: any CredentialsStore
  let refreshURL: URL
  let blockList: any BlockList
  let log: any HTTPLog
  let now: () -> Date
  let stopwatch: () -> ContinuousClock.Instant

  private let stacks = Locked<[Environment: any HTTPClient]>([:])

  init(
    session: URLSession, store: any CredentialsStore, refreshURL: URL, blockList: any BlockList, log: any HTTPLog,
    now: @escaping () -> Date, stopwatch: @escaping () -> ContinuousClock.Instant
  ) {
    self.session = session
    self.store = store
    self.refreshURL = refreshURL
    self.blockList = blockList
    self.log = log
    self.now = now
    self.stopwatch = stopwatch
  }

  func makeClient(for environment: Environment, blocksAccounts: Bool = true) -> any HTTPClient {
    let stack = stacks.withLock { stacks in
      let stack = stacks[environment] ?? makeStack(for: environment)
      stacks[environment] = stack
      return stack
    }
    // A guest has no account, so there is one client for guests.
    guard blocksAccounts, environment != .guest else { return stack }
    return PermanentBlockHTTPClientDecorator(decoratee: stack, blockList: blockList)
  }

  private func makeStack(for environment: Environment) -> any HTTPClient {
    let network = URLSessionHTTPClient(session: session)
    let logged = environment == .production ? network : logging(network)
    guard environment != .guest else { return logged }
    return RefreshCredentialsHTTPClientDecorator(
      decoratee: logged, store: store, refresher: RemoteCredentialsRefresher(client: network, url: refreshURL, now: now),
      now: now)
  }

  private func logging(_ client: any HTTPClient) -> any HTTPClient {
    LoggerHTTPClientDecorator(decoratee: client, log: log, now: stopwatch)
  }
}
