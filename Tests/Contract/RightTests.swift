import Given
import TestSupport
import Testing

/// Correct decorators as people write them at work. If one of them is refused, the contract is wrong.
@Suite("The contract accepts correct decorators")
struct RightTests {
  @Test func withACompletion() async {
    await clients.check { $0 }
    await clients.check { DeliversOnTheMainQueue(decoratee: $0) }
    await clients.check { ForwardsOnTheMainQueue(decoratee: $0) }
    await clients.check { WorksOnAQueue(decoratee: $0, queue: DispatchQueue(label: "serial")) }
    await clients.check { WorksOnAQueue(decoratee: $0, queue: .global()) }
    await clients.check { CountsBehindALock(decoratee: $0) }
    await clients.check { ATaskInside(decoratee: $0) }
  }

  /// A fallback changes each failure, on purpose. So failures are no samples for it.
  @Test func fallback() async {
    var contract = clients
    contract.results.removeAll { (try? $0.get()) == nil }
    await contract.check { FallsBack(decoratee: $0) }
  }

  @Test func async() async {
    await items.check { $0 }
    await items.check { CountsOnTheMainActor(decoratee: $0) }
    await items.check { TimesOut(decoratee: $0) }
  }

  /// Calls that share one load share its result, and none of them may cancel it. Without a parameter, all calls are equal.
  @Test func merging() async {
    // On Linux, requests that differ in their timeouts only are equal.
    var contract = clients
    contract.requests = Array(clients.requests.prefix(2))
    await contract.check { MergesEqualRequests(decoratee: $0) }
    await items.check(except: [.noMixing, .cancellation]) { Merges(decoratee: $0) }
  }

  /// Dictionaries that are equal may list their keys in different orders, and `Any` is not equatable.
  @Test func dictionaries() async {
    typealias Event = [String: Any]
    let contract = DecoratorContract<(Event, @escaping (Bool) -> Void) -> Void, Event, Bool>(
      requests: [["a": 1, "b": ["c": 2, "d": "e"]], ["f": [["g": 3], ["h": 4]]]], results: [true, false],
      makeDecoratee: { $0 },
      call: { $0($1, $2) })
    await contract.check(
      ignoring: { $0["time"] = nil },
      decorate: { track in { event, completion in track(event.merging(["time": 5]) { $1 }, completion) } })
    await withKnownIssue {
      await contract.check { track in
        { event, completion in track(event.mapValues { $0 is Int ? 0 : $0 }, completion) }
      }
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains(#"it["a"] is 0, not 1"#)
    }
  }

  @Test @MainActor func onTheMainActor() async {
    await clients.check { DeliversOnTheMainQueue(decoratee: $0) }
    await items.check { CountsOnTheMainActor(decoratee: $0) }
  }
}

private struct DeliversOnTheMainQueue: HTTPClient {
  let decoratee: any HTTPClient

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    nonisolated(unsafe) let completion = completion
    decoratee.load(request) { result in DispatchQueue.main.async { completion(result) } }
  }
}

private struct ForwardsOnTheMainQueue: HTTPClient {
  nonisolated(unsafe) let decoratee: any HTTPClient

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    nonisolated(unsafe) let completion = completion
    DispatchQueue.main.async { decoratee.load(request, completion: completion) }
  }
}

private final class WorksOnAQueue: HTTPClient, @unchecked Sendable {
  private let decoratee: any HTTPClient
  private let queue: DispatchQueue

  init(decoratee: any HTTPClient, queue: DispatchQueue) { (self.decoratee, self.queue) = (decoratee, queue) }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    nonisolated(unsafe) let completion = completion
    queue.async {
      self.decoratee.load(request) { result in self.queue.async { completion(result) } }
    }
  }
}

private final class CountsBehindALock: HTTPClient {
  private let decoratee: any HTTPClient
  private let count = Locked(0)

  init(decoratee: any HTTPClient) { self.decoratee = decoratee }

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    count.withLock { $0 += 1 }
    decoratee.load(request) { result in
      self.count.withLock { $0 -= 1 }
      completion(result)
    }
  }
}

private struct ATaskInside: HTTPClient {
  nonisolated(unsafe) let decoratee: any HTTPClient

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    nonisolated(unsafe) let completion = completion
    Task {
      let result = await withCheckedContinuation { continuation in
        decoratee.load(request) { continuation.resume(returning: $0) }
      }
      completion(result)
    }
  }
}

private struct FallsBack: HTTPClient {
  let decoratee: any HTTPClient

  func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    decoratee.load(request) { result in
      if case .failure = result { completion(.status(200, "fallback")) } else { completion(result) }
    }
  }
}

@MainActor private final class CountsOnTheMainActor: ItemService {
  private let decoratee: any ItemService
  private var count = 0

  nonisolated init(decoratee: any ItemService) { self.decoratee = decoratee }

  func loadItems() async throws -> [String] {
    count += 1
    defer { count -= 1 }
    return try await decoratee.loadItems()
  }
}

private final class MergesEqualRequests: HTTPClient {
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
      for completion in self.waiting.withLock({ $0.removeValue(forKey: request) }) ?? [] { completion(result) }
    }
  }
}

private actor Merges: ItemService {
  private let decoratee: any ItemService
  private var task: Task<[String], any Error>?

  init(decoratee: any ItemService) { self.decoratee = decoratee }

  func loadItems() async throws -> [String] {
    if let task { return try await task.value }
    let task = Task { try await decoratee.loadItems() }
    self.task = task
    defer { self.task = nil }
    return try await task.value
  }
}

private struct TimesOut: ItemService {
  let decoratee: any ItemService

  func loadItems() async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      group.addTask { try await decoratee.loadItems() }
      group.addTask {
        try await Task.sleep(for: .seconds(600))
        throw URLError(.timedOut)
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }
}
