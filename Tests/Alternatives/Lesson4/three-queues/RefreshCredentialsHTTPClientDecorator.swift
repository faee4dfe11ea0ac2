// One queue decides, another calls the refresher and the decoratee, and a third delivers; rejected tokens are remembered.

import Given

/// An HTTP client that adds a bearer token to every request, and works on three queues.
///
/// A rejected request joins the refresh of its token without reading the store.
package final class RefreshCredentialsHTTPClientDecorator: HTTPClient {
  private struct Job {
    let request: URLRequest
    var rejected: Credentials?
    let completion: HTTPClient.Completion
  }

  private let decoratee: any HTTPClient
  private let store: any CredentialsStore
  private let refresher: any CredentialsRefresher
  private let now: () -> Date
  private let deciding = DispatchQueue(label: "deciding")
  private let calling = DispatchQueue(label: "calling")
  private let delivering = DispatchQueue(label: "delivering")
  // Used on the first queue only.
  private var jobs: [String: [Job]] = [:]
  private var rejectedTokens: Set<String> = []

  package init(
    decoratee: any HTTPClient, store: any CredentialsStore, refresher: any CredentialsRefresher, now: @escaping () -> Date
  ) {
    self.decoratee = decoratee
    self.store = store
    self.refresher = refresher
    self.now = now
  }

  package func load(_ request: URLRequest, completion: @escaping HTTPClient.Completion) {
    deciding.async { self.decide(Job(request: request, completion: completion)) }
  }

  private func decide(_ job: Job) {
    if let rejected = job.rejected {
      rejectedTokens.insert(rejected.accessToken)
      if jobs[rejected.refreshToken] != nil {
        jobs[rejected.refreshToken]?.append(job)
        return
      }
    }
    guard let credentials = store.credentials else { return deliver(.failure(HTTPClientError.signedOut), to: job) }

    let token = credentials.refreshToken
    if jobs[token] != nil {
      jobs[token]?.append(job)
    } else if rejectedTokens.contains(credentials.accessToken) || now() >= credentials.expiresAt {
      jobs[token] = [job]
      calling.async {
        self.refresher.refresh(with: token) { result in
          self.deciding.async { self.end(result, of: credentials) }
        }
      }
    } else {
      send(job, with: credentials)
    }
  }

  private func end(_ result: Result<Credentials, any Error>, of old: Credentials) {
    let waiting = jobs.removeValue(forKey: old.refreshToken) ?? []
    switch result {
    case .success(let new) where store.replace(old, with: new):
      for job in waiting { send(job, with: new) }
    case .failure(is TokenEndpoint.Refused) where store.credentials == old:
      for job in waiting { deliver(.failure(HTTPClientError.sessionExpired), to: job) }
    case .failure(let error) where store.credentials == old:
      for job in waiting { deliver(.failure(error), to: job) }
    default:
      for job in waiting { deliver(.failure(HTTPClientError.signedOut), to: job) }
    }
  }

  private func send(_ job: Job, with credentials: Credentials) {
    var request = job.request
    request.setValue("Bearer \(credentials.accessToken)", forHTTPHeaderField: "Authorization")
    calling.async {
      self.decoratee.load(request) { result in
        if job.rejected == nil, job.request.httpBodyStream == nil, case .success((_, let response)) = result,
          response.statusCode == 401
        {
          var second = job
          second.rejected = credentials
          self.deciding.async { self.decide(second) }
        } else {
          self.deliver(result, to: job)
        }
      }
    }
  }

  private func deliver(_ result: Result<(Data, HTTPURLResponse), any Error>, to job: Job) {
    delivering.async { job.completion(result) }
  }
}
