import Foundation

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
    let isWarning = issue["isFailure"] as? Bool == false || issue["severity"] as? String == "warning"
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
