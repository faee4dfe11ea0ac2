// The factory makes one client for each pair of arguments, and returns it again the next time.

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

  private struct Key: Hashable {
    let environment: Environment
    let blocksAccounts: Bool
  }

  let session: URLSession
  let store: any CredentialsStore
  let refreshURL: URL
  let blockList: any BlockList
  let log: any HTTPLog
  let now: () -> Date
  let stopwatch: () -> ContinuousClock.Instant

  private let clients = Locked<[Key: any HTTPClient]>([:])

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
    // A guest has no account, so there is one client for guests.
    let key = Key(environment: environment, blocksAccounts: blocksAccounts && environment != .guest)
    return clients.withLock { clients in
      if let client = clients[key] { return client }
      let client = make(key)
      clients[key] = client
      return client
    }
  }

  private func make(_ key: Key) -> any HTTPClient {
    let network = URLSessionHTTPClient(session: session)
    let logged = key.environment == .production ? network : logging(network)
    guard key.environment != .guest else { return logged }
    let authorized = RefreshCredentialsHTTPClientDecorator(
      decoratee: logged, store: store, refresher: RemoteCredentialsRefresher(client: network, url: refreshURL, now: now),
      now: now)
    return key.blocksAccounts ? PermanentBlockHTTPClientDecorator(decoratee: authorized, blockList: blockList) : authorized
  }

  private func logging(_ client: any HTTPClient) -> any HTTPClient {
    LoggerHTTPClientDecorator(decoratee: client, log: log, now: stopwatch)
  }
}
