import Given
import TestSupport

/// What the page promises of a cache, as plain values.
struct CacheModel {
  static let lifetime: TimeInterval = 60

  /// A request that has been sent, and has not ended.
  private struct Load {
    let number: Int
    let request: URLRequest
    var isCanceled = false
  }

  private(set) var effects: [String] = []
  private var requests = 0
  private var responses = 0
  private var loads: [Load] = []
  /// What is kept, by the words for the request: on Linux, requests are equal even if their header fields differ.
  private var kept: [String: (response: String, arrival: Date)] = [:]
  /// What another method may have made the cache forget, or not keep.
  private var inDoubt: Set<String> = []

  /// The numbers of the requests that have been sent, and have not ended.
  var inFlight: [Int] { loads.map(\.number) }

  func isInFlight(_ request: URLRequest) -> Bool { loads.contains { $0.request.inWords == request.inWords } }

  func isCanceled(_ number: Int) -> Bool { load(number)?.isCanceled ?? false }

  /// Whether something is kept that the cache may have forgotten.
  func mayBeForgotten(_ request: URLRequest) -> Bool { kept[request.inWords] != nil && inDoubt.contains(request.inWords) }

  /// Whether the cache may have forgotten what is kept for a request in flight.
  func mayBeForgotten(_ number: Int) -> Bool { load(number).map { mayBeForgotten($0.request) } ?? false }

  /// - Returns: The number of the request.
  mutating func send(_ request: URLRequest, at now: Date) -> Int {
    requests += 1
    let words = request.inWords
    if let kept = kept[words], now < kept.arrival + Self.lifetime {
      effects.append("request \(requests) receives \(kept.response)")
    } else {
      effects.append("the client receives \(words)")
      inDoubt.remove(words)
      loads.append(Load(number: requests, request: request))
      if loads.contains(where: { $0.request.httpMethod != "GET" }) { doubtAll() }
    }
    return requests
  }

  mutating func cancel(_ number: Int) {
    guard let index = loads.firstIndex(where: { $0.number == number }) else { return }
    loads[index].isCanceled = true
    effects.append("the cancellation of \(loads[index].request.inWords) reaches the client")
  }

  /// - Returns: How the client ends the request, in words; `nil` if it is not in flight.
  mutating func end(_ number: Int, with result: Result<Int, SampleError>, at now: Date) -> String? {
    guard let load = load(number) else { return nil }
    let words = load.request.inWords
    if load.request.httpMethod != "GET" { doubtAll() }
    loads.removeAll { $0.number == number }
    switch result {
    case .success(let status):
      responses += 1
      let response = "response \(responses) (\(status))"
      if load.request.httpMethod == "GET", status == 200 { kept[words] = (response, now) }
      effects.append("request \(number) receives \(response)")
      return response
    case .failure(let trouble):
      let fallback = load.isCanceled ? nil : kept[words]?.response
      effects.append("request \(number) receives \(fallback ?? trouble.inWords)")
      return trouble.inWords
    }
  }

  private func load(_ number: Int) -> Load? { loads.first { $0.number == number } }

  private mutating func doubtAll() { inDoubt.formUnion(kept.keys + loads.map(\.request.inWords)) }
}
