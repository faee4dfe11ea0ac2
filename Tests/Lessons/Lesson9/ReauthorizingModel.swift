import Given
import TestSupport

/// What the page promises of a request that is sent once more, as plain values.
struct ReauthorizingModel {
  private struct Load {
    let path: String
    var request: URLRequest
    /// The number of the attempt, if one is in flight.
    var attempt: Int? = 1
    /// The number of the provider's call, if the request waits for one.
    var call: Int?
  }

  private(set) var effects: [String] = []
  private var loads: [Load] = []
  private var calls = 0

  /// The paths of the requests with an attempt in flight.
  var inFlight: [String] { loads.filter { $0.attempt != nil }.map(\.path) }

  /// The paths of the requests that wait for the provider.
  var waiting: [String] { loads.filter { $0.call != nil }.map(\.path) }

  func attempt(of path: String) -> Int? { loads.first { $0.path == path }?.attempt }

  /// The number of the provider's call that a request waits for.
  func call(for path: String) -> Int? { loads.first { $0.path == path }?.call }

  mutating func send(_ path: String, _ request: URLRequest) {
    loads.append(Load(path: path, request: request))
    effects.append("\(request.inWords) is sent")
  }

  mutating func end(_ path: String, with result: Result<Int, SampleError>) {
    guard let index = loads.firstIndex(where: { $0.path == path }), let attempt = loads[index].attempt else { return }
    loads[index].attempt = nil
    let request = loads[index].request
    switch result {
    case .success(401) where attempt == 1 && request.httpBodyStream == nil && request.authorization?.hasPrefix("Bearer ") == true:
      loads[index].call = calls
      calls += 1
      effects.append("the provider is called with \(request.sentToken ?? "")")
    case .success(let status): effects.append("\(path) receives \(status) (attempt \(attempt))")
    case .failure(let trouble): effects.append("\(path) receives \(trouble.inWords)")
    }
  }

  mutating func provide(_ result: Result<String, SampleError>, for path: String) {
    guard let index = loads.firstIndex(where: { $0.path == path }) else { return }
    loads[index].call = nil
    switch result {
    case .success(let token):
      loads[index].attempt = 2
      loads[index].request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
      effects.append("\(loads[index].request.inWords) is sent")
    case .failure(let trouble): effects.append("\(path) receives \(trouble.inWords)")
    }
  }
}
