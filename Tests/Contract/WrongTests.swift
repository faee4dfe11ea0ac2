import Given
import TestSupport
import Testing

/// Wrong decorators, one for each sentence that names a cause.
@Suite("The contract refuses wrong decorators")
struct WrongTests {
  // MARK: With a completion

  @Test func forwardsNothing() async {
    await expect("A call should be forwarded, but does not reach the decoratee.") { _, _, completion in
      completion(.failure(URLError(.cancelled)))
    }
  }

  @Test func forwardsAgain() async {
    await expect("A call should be forwarded once, but is forwarded again after ") { decoratee, request, completion in
      decoratee.load(request) { result in
        if case .failure(URLError.timedOut) = result {
          decoratee.load(request, completion: completion)
        } else {
          completion(result)
        }
      }
    }
  }

  @Test func changesTheRequest() async {
    await expect("A request should be forwarded unchanged, but cachePolicy is ") {
      decoratee, request, completion in
      var new = URLRequest(url: request.url!, timeoutInterval: request.timeoutInterval)
      new.allHTTPHeaderFields = request.allHTTPHeaderFields
      decoratee.load(new, completion: completion)
    }
  }

  @Test func changesTheResponse() async {
    await expect(#"A result should be delivered unchanged, but success.0 is "", not "two"."#) { decoratee, request, completion in
      decoratee.load(request) { result in
        completion(result.map { $1.statusCode == 404 ? (Data(), $1) : ($0, $1) })
      }
    }
  }

  @Test func deliversTwice() async {
    await expect("A result should arrive once, but arrives 2 times: failure(") { decoratee, request, completion in
      decoratee.load(request) { result in
        if case .failure = result { completion(result) }
        completion(result)
      }
    }
  }

  @Test func deliversFirst() async {
    await expect("A result should not arrive before the decoratee delivers one.") { decoratee, request, completion in
      completion(.status(200))
      decoratee.load(request) { _ in }
    }
  }

  @Test func waitsForTheResult() async {
    await expect("A call should return. Does it wait for a result, a lock, or the main queue?") {
      decoratee, request, completion in
      let isOver = DispatchSemaphore(value: 0)
      decoratee.load(request) { result in
        completion(result)
        isOver.signal()
      }
      isOver.wait()
    }
  }

  @Test func waitsForTheMainQueue() async {
    await expect("The decorator's completion should return. Does it wait for a result, a lock, or the main queue?") {
      decoratee, request, completion in
      nonisolated(unsafe) let completion = completion
      decoratee.load(request) { result in
        if MainQueue.isCurrent { completion(result) } else { DispatchQueue.main.sync { completion(result) } }
      }
    }
  }

  @Test func capturesItselfWeakly() async {
    await expect(["A result should arrive, but is lost or late: ", "Does a closure capture it weakly?"], of: clients) {
      CapturesItselfWeakly(decoratee: $0)
    }
  }

  @Test func storesItsRequest() async {
    await expect(["Each call should forward its own request, but one forwards another's: ", "Calls overlap here."], of: clients) {
      StoresItsRequest(decoratee: $0)
    }
  }

  @Test func mergesWithoutAKey() async {
    await expect(["A call should be forwarded, but does not reach the decoratee. (Calls overlap here."], of: clients) {
      MergesAllRequests(decoratee: $0)
    }
  }

  @Test func clearsTheListThatItServes() async {
    var contract = clients
    contract.requests = Array(clients.requests.prefix(2))
    await expect(["A call during a completion should get its result.", "or a list being served"], of: contract) {
      ClearsTheListThatItServes(decoratee: $0)
    }
  }

  @Test func cachesWithoutAKey() async {
    await expect(["A call should be forwarded, but does not reach the decoratee after another."], of: clients) {
      CachesWithoutAKey(decoratee: $0)
    }
  }

  @Test func deliversTheLastSuccess() async {
    await expect(["A result should be delivered unchanged, but it is success("], of: clients) {
      DeliversTheLastSuccess(decoratee: $0)
    }
  }

  @Test func storesCompletions() async {
    await expect(
      ["A result has arrived, so nothing should retain the completion. Is it stored, or does a timer retain it?"], of: clients
    ) {
      StoresCompletions(decoratee: $0)
    }
  }

  @Test func storesAClosure() async {
    await expect(["All calls are over, so nothing should retain the decoratee. Does a stored closure capture it?"], of: clients) {
      StoresAClosure(decoratee: $0)
    }
  }

  @Test func holdsALock() async {
    await expect([" should return", "Is a lock held, or a list being served, while"], of: clients) { HoldsALock(decoratee: $0) }
  }

  // MARK: Async

  @Test func asyncLosesTheCancellation() async {
    await expect(["A cancellation should reach the decoratee. Does the call run in a task of its own?"], of: items) {
      LoadsInATask(decoratee: $0)
    }
  }

  @Test func asyncHidesErrors() async {
    await expect("A result should be delivered unchanged, but ", "success([]), not failure(") { decoratee in
      (try? await decoratee.loadItems()) ?? []
    }
  }

  @Test func asyncStoresItsResult() async {
    await expect(["A result should be delivered unchanged, but ", "Calls overlap here."], of: items) {
      StoresItsResult(decoratee: $0)
    }
  }

  // MARK: Expectations

  /// Expects one issue, with texts in it.
  private func expect<Service, Request, Output>(
    _ texts: [String], of contract: DecoratorContract<Service, Request, Output>,
    decorate: (sending Service) -> Service
  ) async {
    var contract = contract
    // A wrong decorator uses it up.
    contract.patience = 1
    await withKnownIssue {
      await contract.check { decorate($0) }
    } matching: { issue in
      texts.allSatisfy(issue.comments.map(\.rawValue).joined().contains)
    }
  }

  private func expect(
    _ texts: String...,
    load: @escaping (_ decoratee: any HTTPClient, URLRequest, @escaping HTTPClient.Completion) -> Void
  ) async {
    await expect(texts, of: clients) { decoratee in
      ClosureClient { load(decoratee, $0, $1) }
    }
  }

  private func expect(
    _ texts: String..., load: @escaping @Sendable (_ decoratee: any ItemService) async throws -> [String]
  ) async {
    await expect(texts, of: items) { ClosureService(decoratee: $0, load: load) }
  }
}

private struct ClosureService: ItemService {
  let decoratee: any ItemService
  let load: @Sendable (any ItemService) async throws -> [String]

  func loadItems() async throws -> [String] { try await load(decoratee) }
}

private final class CapturesItselfWeakly: HTTPClient {
  private let decoratee: any HTTPClient
  private var count = 0

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request) { [weak self] result in
      guard let self else { return }
      count += 1
      completion(result)
    }
  }
}

private final class StoresItsRequest: HTTPClient, @unchecked Sendable {
  private let decoratee: any HTTPClient
  private let request = Locked<URLRequest?>(nil)

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    self.request.withLock { $0 = request }
    nonisolated(unsafe) let completion = completion
    DispatchQueue.main.async {
      self.decoratee.load(self.request.withLock { $0 } ?? request, completion: completion)
    }
  }
}

private final class CachesWithoutAKey: HTTPClient {
  private let decoratee: any HTTPClient
  private let response = Locked<HTTPResult?>(nil)

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    if let response = response.withLock({ $0 }) { return completion(response) }
    decoratee.load(request) { result in
      self.response.withLock { $0 = result }
      completion(result)
    }
  }
}

private final class DeliversTheLastSuccess: HTTPClient {
  private let decoratee: any HTTPClient
  private let success = Locked<HTTPResult?>(nil)

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request) { result in
      if case .success = result { self.success.withLock { $0 = result } }
      completion(self.success.withLock { $0 } ?? result)
    }
  }
}

private final class StoresCompletions: HTTPClient {
  private let decoratee: any HTTPClient
  private let completions = Locked<[HTTPClient.Completion]>([])

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    completions.withLock { $0.append(completion) }
    decoratee.load(request, completion: completion)
  }
}

private final class StoresAClosure: HTTPClient {
  private let decoratee: any HTTPClient
  private let again = Locked<(() -> Void)?>(nil)

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    again.withLock { $0 = { self.load(request) { _ in } } }
    decoratee.load(request, completion: completion)
  }
}

/// One slot, and no key: whoever calls during a load gets its result, whatever the request.
private final class MergesAllRequests: HTTPClient {
  private let decoratee: any HTTPClient
  private let waiting = Locked<[HTTPClient.Completion]>([])

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(completion)
      return waiting.count == 1
    }
    guard isFirst else { return }
    decoratee.load(request) { result in
      for completion in self.waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { completion(result) }
    }
  }
}

/// Equal requests share a load, but one that joins while its result is being delivered gets none.
private final class ClearsTheListThatItServes: HTTPClient {
  private let decoratee: any HTTPClient
  private let waiting = Locked<[URLRequest: [HTTPClient.Completion]]>([:])

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    let isFirst = waiting.withLock { waiting in
      waiting[request, default: []].append(completion)
      return waiting[request]?.count == 1
    }
    guard isFirst else { return }
    decoratee.load(request) { result in
      for completion in self.waiting.withLock({ $0[request] }) ?? [] { completion(result) }
      self.waiting.withLock { $0[request] = nil }
    }
  }
}

private final class HoldsALock: HTTPClient {
  private let decoratee: any HTTPClient
  private let lock = NSLock()
  private var count = 0

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    lock.withLock { count += 1 }
    decoratee.load(request) { result in
      self.lock.withLock {
        self.count -= 1
        completion(result)
      }
    }
  }
}

private struct LoadsInATask: ItemService {
  let decoratee: any ItemService

  func loadItems() async throws -> [String] { try await Task { try await decoratee.loadItems() }.value }
}

private actor StoresItsResult: ItemService {
  private let decoratee: any ItemService
  private var latest: Result<[String], any Error> = .success([])

  init(decoratee: any ItemService) { self.decoratee = decoratee }

  func loadItems() async throws -> [String] {
    do { latest = .success(try await decoratee.loadItems()) } catch { latest = .failure(error) }
    await save()
    return try latest.get()
  }

  /// A door, as every `await`: the other call ends now.
  private func save() async { try? await Task.sleep(for: .milliseconds(20)) }
}
