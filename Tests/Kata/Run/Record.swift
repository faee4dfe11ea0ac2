import Foundation

/// One line of the event stream of `swift test`, as far as it matters here.
enum Record: Equatable {
  case suite(id: String, name: String)
  case test(id: String, name: String)
  case runStarted(at: Double)
  case testStarted(id: String)
  case testEnded(id: String, failed: Bool)
  case testSkipped(id: String)
  case issue(testID: String?, Complaint)
  case runEnded(at: Double)
  /// A kind that says nothing about progress, or that a newer toolchain has added.
  case other(String)
}

extension Record {
  /// The versions of the stream whose fields are known. Version 0 is asked for.
  static let knownVersions: Set<String> = ["0", "6.3"]

  /// Reads a line.
  ///
  /// Newer versions name some fields without the underscore, so both spellings are read and nothing else is demanded.
  ///
  /// - Parameter line: One line of the stream.
  /// - Returns: The version that the line claims to have, and its content; `nil` when it is not a record at all, as
  ///   the last line of a process that was stopped.
  static func read(_ line: some DataProtocol) -> (version: String, record: Record)? {
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
      let kind = object["kind"] as? String
    else { return nil }
    let version = (object["version"] as? String) ?? (object["version"] as? NSNumber)?.stringValue ?? "unknown"
    let payload = object["payload"] as? [String: Any] ?? [:]
    switch kind {
    case "test": return (version, test(payload))
    case "event": return (version, event(payload))
    default: return (version, .other(kind))
    }
  }

  private static func test(_ payload: [String: Any]) -> Record {
    guard let id = payload["id"] as? String else { return .other("test") }
    let name = payload["displayName"] as? String ?? payload["name"] as? String ?? id
    return payload["kind"] as? String == "suite" ? .suite(id: id, name: name) : .test(id: id, name: name)
  }

  private static func event(_ payload: [String: Any]) -> Record {
    let kind = payload["kind"] as? String ?? "event"
    let id = payload["testID"] as? String
    let instant = (payload["instant"] as? [String: Any])?["absolute"] as? Double ?? 0
    switch (kind, id) {
    case ("runStarted", _): return .runStarted(at: instant)
    case ("runEnded", _): return .runEnded(at: instant)
    case ("testStarted", let id?): return .testStarted(id: id)
    case ("testSkipped", let id?): return .testSkipped(id: id)
    case ("testEnded", let id?):
      let messages = payload["messages"] as? [[String: Any]] ?? []
      return .testEnded(id: id, failed: messages.contains { $0["symbol"] as? String == "fail" })
    case ("issueRecorded", _):
      return Complaint(payload).map { .issue(testID: id, $0) } ?? .other(kind)
    default: return .other(kind)
    }
  }
}

/// What a test found wrong.
struct Complaint: Equatable {
  /// What was expected, in the words of the lesson; `nil` when the test says nothing of its own.
  var sentence: String?
  /// What the testing library says: `Expectation failed: (paths → []) == ["/articles"]`.
  var expectation: String
  /// The argument of a parameterised test.
  var argument: String?
  /// The file that complains.
  var file: String?
  var line: Int?
}

extension Complaint {
  /// Reads a complaint from the payload of an event of the kind `issueRecorded`.
  ///
  /// - Returns: `nil` for a known issue and for a warning, which do not make a test fail.
  init?(_ payload: [String: Any]) {
    let issue = payload["issue"] as? [String: Any] ?? [:]
    let isWarning = issue["isFailure"] as? Bool == false || (issue["severity"] ?? issue["_severity"]) as? String == "warning"
    if issue["isKnown"] as? Bool == true || isWarning { return nil }

    let messages = payload["messages"] as? [[String: Any]] ?? []
    let texts = { (symbol: String) in
      messages.filter { $0["symbol"] as? String == symbol }.compactMap { $0["text"] as? String }
    }
    let comments = payload["_comments"] as? [String] ?? payload["comments"] as? [String] ?? texts("details")
    sentence = comments.first { !$0.isEmpty }
    expectation = texts("fail").first ?? texts("default").first ?? "Issue recorded"

    let testCase = payload["_testCase"] as? [String: Any] ?? payload["testCase"] as? [String: Any]
    argument = testCase?["displayName"] as? String
    let location = issue["sourceLocation"] ?? payload["_sourceLocation"] ?? payload["sourceLocation"]
    let place = location as? [String: Any] ?? [:]
    file = place["filePath"] as? String ?? place["_filePath"] as? String ?? place["fileID"] as? String
    line = (place["line"] as? NSNumber)?.intValue
  }
}
