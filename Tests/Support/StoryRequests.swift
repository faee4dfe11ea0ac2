import Given

/// A request in a story. Any of its properties may differ from those of a new `URLRequest`.
public struct StoryRequest: Sendable {
  /// The properties of a request that a solution may lose by mistake.
  enum Property: CaseIterable, Sendable {
    case baseURL, method, body, bodyStream, cachePolicy, timeout, cookies, serviceType, cellular, mainDocument
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
    let properties = Property.allCases.shuffled(using: &random).prefix([0, 0, 1, 2].randomElement(using: &random)!)
    let fields = names.shuffled(using: &random).prefix([0, 1, 2].randomElement(using: &random)!).map { name in
      (name.spelledAtRandom(using: &random), ["of the caller", "of the caller", ""].randomElement(using: &random)!)
    }
    return Self(properties: Array(properties), fields: fields)
  }

  /// Makes the request.
  ///
  /// - Parameter path: The path and the query, for example `/articles?page=2`.
  public func request(for path: String) -> URLRequest {
    var request = URLRequest.story(path)
    for property in properties {
      switch property {
      case .baseURL: request.url = URL(string: String(path.dropFirst()), relativeTo: URL(string: "https://example.com/"))
      case .method: request.httpMethod = "PATCH"
      case .body: request.httpBody = Data("a title".utf8)
      case .bodyStream: request.httpBodyStream = InputStream(data: Data("a long article".utf8))
      case .cachePolicy: request.cachePolicy = .returnCacheDataElseLoad
      case .timeout: request.timeoutInterval = 7
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

extension String {
  /// The name of a header field: unchanged, in lowercase, or in uppercase. All three mean the same field.
  public func spelledAtRandom(using random: inout SeededRandom) -> String {
    [self, self, lowercased(), uppercased()].randomElement(using: &random)!
  }
}

extension URLRequest {
  private static let new = URLRequest.story("")

  /// The description of the request in a story: the method, the URL without the host, what differs from a new request, and
  /// the header fields.
  public var inWords: String {
    inWords(withFields: (allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) })
  }

  /// The description of the request in a story, with other header fields.
  ///
  /// - Parameter fields: The values of the fields, in any order, with their names in any case.
  public func inWords(withFields fields: [(name: String, value: String)]) -> String {
    let (host, new) = ("https://example.com", Self.new)
    let address = url?.absoluteString ?? "no URL"
    var words = ["\(httpMethod ?? "no method") \(address.hasPrefix(host) ? address.dropFirst(host.count) : address[...])"]
    func add<Value: Equatable>(_ name: String, _ value: (URLRequest) -> Value) {
      if value(self) != value(new) { words.append("\(name) \(value(self))") }
    }
    add("body") { $0.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "" }
    add("body stream") { $0.httpBodyStream != nil }
    add("cache policy") { $0.cachePolicy.rawValue }
    add("timeout") { $0.timeoutInterval }
    add("cookies") { $0.httpShouldHandleCookies }
    add("service type") { $0.networkServiceType.rawValue }
    add("cellular") { $0.allowsCellularAccess }
    add("main document") { $0.mainDocumentURL?.path ?? "" }
    let headers = fields.map { "\($0.name.lowercased()): \"\($0.value)\"" }.sorted()
    return (words + (headers.isEmpty ? [] : ["with \(headers.joined(separator: " and "))"])).joined(separator: ", ")
  }
}

extension HTTPResult {
  /// The status and the body of a response, or the error. A response that has lost its header fields is described
  /// differently.
  public var inDetail: String {
    guard case .success((let data, let response)) = self else { return inWords }
    let words = data.isEmpty ? inWords : "\(inWords) \(String(decoding: data, as: UTF8.self))"
    return response.value(forHTTPHeaderField: "ETag") == "42" ? words : "\(words) without the header fields"
  }
}
