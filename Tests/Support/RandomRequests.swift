import Given

/// A request with random properties. Any of them may differ from those of a new `URLRequest`.
public struct RandomRequest: Sendable {
  /// The properties of a request that a solution may lose by mistake.
  enum Property: Sendable {
    case server(String)
    case method(String)
    case body(String)
    case cachePolicy(URLRequest.CachePolicy)
    case timeout(TimeInterval)
    case baseURL, bodyStream, cookies, serviceType, cellular, mainDocument

    /// Makes up one property of each kind.
    static func all(using random: inout SeededRandom) -> [Self] {
      let servers = ["http://example.com", "https://example.com:8443", "https://user@api.example.org", "http://[::1]:8080", ""]
      let methods = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "SEARCH"]
      return [
        .server(servers.randomElement(using: &random)!), .baseURL, .method(methods.randomElement(using: &random)!),
        .body(["a title", "", "{\"titel\": \"\u{fc}\"}"].randomElement(using: &random)!), .bodyStream,
        .cachePolicy(
          [.reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .returnCacheDataDontLoad].randomElement(using: &random)!),
        .timeout([0.5, 7, 3600].randomElement(using: &random)!), .cookies, .serviceType, .cellular, .mainDocument,
      ]
    }
  }

  private let properties: [Property]
  /// The names and values of the caller's header fields.
  public let fields: [(name: String, value: String)]

  /// A request without anything special.
  public static let plain = Self(properties: [], fields: [])

  /// Makes up a request.
  ///
  /// - Parameters:
  ///   - random: The source of random numbers.
  ///   - names: The names of the header fields that the request may have.
  public static func random(using random: inout SeededRandom, fields names: [String] = ["Authorization", "Accept"]) -> Self {
    let properties = Property.all(using: &random).shuffled(using: &random).prefix([0, 1, 2, 3].randomElement(using: &random)!)
    let fields = names.shuffled(using: &random).prefix([0, 1, 2].randomElement(using: &random)!).map { name in
      (name.spelledAtRandom(using: &random), ["of the caller", "of the caller", ""].randomElement(using: &random)!)
    }
    return Self(properties: Array(properties), fields: fields)
  }

  /// Makes the request.
  ///
  /// - Parameter path: The path and the query, for example `/articles?page=2`.
  public func request(for path: String) -> URLRequest {
    var request = URLRequest.path(path)
    for property in properties {
      switch property {
      case .server(let server): request.url = URL(string: server + path)
      case .baseURL: request.url = URL(string: String(path.dropFirst()), relativeTo: URL(string: "https://example.com/"))
      case .method(let method): request.httpMethod = method
      case .body(let body): request.httpBody = Data(body.utf8)
      case .bodyStream: request.httpBodyStream = InputStream(data: Data("a long article".utf8))
      case .cachePolicy(let policy): request.cachePolicy = policy
      case .timeout(let seconds): request.timeoutInterval = seconds
      case .cookies: request.httpShouldHandleCookies = false
      case .serviceType: request.networkServiceType = .background
      case .cellular: request.allowsCellularAccess = false
      case .mainDocument: request.mainDocumentURL = URL(string: "https://example.com/main")
      }
    }
    for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    return request
  }
}

extension Int {
  /// Makes up the status of a response: often a familiar one, and sometimes any from 200 to 599.
  public static func status(using random: inout SeededRandom) -> Int {
    Bool.random(using: &random)
      ? [200, 201, 204, 304, 401, 403, 404, 429, 500, 503].randomElement(using: &random)! : .random(in: 200...599, using: &random)
  }
}

extension String {
  /// The name of a header field: unchanged, in lowercase, or in uppercase. All three mean the same field.
  public func spelledAtRandom(using random: inout SeededRandom) -> String {
    [self, self, lowercased(), uppercased()].randomElement(using: &random)!
  }
}

extension URLRequest {
  private static let new = URLRequest.path("")

  /// The description of a request that a test has observed: the method, the URL without the host, what differs from a new
  /// request, and the header fields, with their names in lowercase.
  public var inWords: String {
    inWords(withFields: fields.map { ($0.name.lowercased(), $0.value) })
  }

  /// The description of a request that is loaded. The names of its header fields are spelled as they are in the request, and a
  /// relative URL is told as such.
  public var told: String {
    let words = inWords(withFields: fields)
    return url?.baseURL.map { "\(words), with a URL relative to \($0)" } ?? words
  }

  private var fields: [(name: String, value: String)] { (allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) } }

  /// The description of the request, with other header fields.
  ///
  /// - Parameter fields: The names and the values of the fields, in any order.
  public func inWords(withFields fields: [(name: String, value: String)]) -> String {
    let (host, new) = ("https://example.com", Self.new)
    let address = url?.absoluteString ?? "no URL"
    var words = ["\(httpMethod ?? "no method") \(address.hasPrefix(host) ? address.dropFirst(host.count) : address[...])"]
    func add<Value: Equatable>(_ name: String, _ value: (URLRequest) -> Value) {
      if value(self) != value(new) { words.append("\(name): \(value(self))") }
    }
    add("body") { $0.httpBody.map { "\"\(String(decoding: $0, as: UTF8.self))\"" } ?? "none" }
    if httpBodyStream != nil { words.append("body: a stream") }
    add("cachePolicy") { $0.cachePolicy.rawValue }
    add("timeoutInterval") { $0.timeoutInterval }
    add("httpShouldHandleCookies") { $0.httpShouldHandleCookies }
    add("networkServiceType") { $0.networkServiceType.rawValue }
    add("allowsCellularAccess") { $0.allowsCellularAccess }
    add("mainDocumentURL") { $0.mainDocumentURL?.path ?? "" }
    let headers = fields.map { "\($0.name): \"\($0.value)\"" }.sorted()
    return (words + (headers.isEmpty ? [] : ["with \(headers.joined(separator: " and "))"])).joined(separator: ", ")
  }
}

extension HTTPResult {
  /// The status and the body of a response, or the error. A response that has lost its header fields is described
  /// differently.
  public var inWordsWithBody: String {
    guard case .success((let data, let response)) = self else { return inWords }
    let words = data.isEmpty ? inWords : "\(inWords) \"\(String(decoding: data, as: UTF8.self))\""
    return response.value(forHTTPHeaderField: "ETag") == "42" ? words : "\(words) without the header fields"
  }
}

extension URLRequest {
  /// A `GET` request for a path, such as `/articles?page=2`.
  public static func path(_ path: String) -> URLRequest {
    URLRequest(url: URL(string: "https://example.com\(path)")!)
  }
}
