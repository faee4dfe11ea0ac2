/// One line of the event stream of `swift test`.
struct Record: Decodable {
  let payload: Event
}

/// A test that takes part in the run, or something that has happened.
///
/// These are the fields of version 0 of the stream that matter here.
struct Event: Decodable {
  var kind: String?
  var id: String?
  var name: String?
  var displayName: String?
  var testID: String?
  var messages: [Message]?
  var issue: Issue?

  struct Message: Decodable {
    let symbol: String
    let text: String?
  }
  struct Issue: Decodable {
    let sourceLocation: Location?
  }
  struct Location: Decodable {
    let _filePath: String?
    let line: Int?
  }

  /// The texts of the messages with a symbol.
  func texts(_ symbol: String) -> [String] { (messages ?? []).filter { $0.symbol == symbol }.map { $0.text ?? "" } }
}

/// What a test found wrong.
struct Complaint: Equatable {
  /// What was expected, in the words of the lesson; `nil` if the test gives no comment.
  var sentence: String?
  /// What the testing library says: `Expectation failed: (paths → []) == ["/articles"]`.
  var expectation: String
  /// The file that complains.
  var file: String?
  var line: Int?
}

extension Complaint {
  /// Reads an event of the kind `issueRecorded`.
  ///
  /// - Returns: `nil` for a known issue and for a warning, which do not make a test fail.
  init?(_ event: Event) {
    guard let expectation = event.texts("fail").first else { return nil }
    let (location, details) = (event.issue?.sourceLocation, event.texts("details").filter { !$0.isEmpty })
    self.init(
      sentence: details.isEmpty ? nil : details.joined(separator: "\n"), expectation: expectation, file: location?._filePath,
      line: location?.line)
  }
}
