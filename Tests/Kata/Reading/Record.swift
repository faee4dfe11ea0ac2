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
