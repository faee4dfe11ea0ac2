import Foundation
import Testing

@testable import kata

/// A run of two small suites, built up event by event.
enum Sample {
  /// The ID of a test: `Lesson1.Step2Authorize/refreshes()/Step2Authorize.swift:48:4`.
  static func id(_ number: Int, _ suite: String, _ function: String, line: Int) -> String {
    "Lesson\(number).\(suite)/\(function)()/\(suite).swift:\(line):4"
  }

  static let sends = id(1, "Step1Send", "sendsOnce", line: 9)
  static let delivers = id(1, "Step1Send", "delivers", line: 38)
  static let refreshes = id(1, "Step2Authorize", "refreshesFirst", line: 48)
  static let shows = id(2, "Step1ShowAndDispatch", "shows", line: 7)

  static let complaint = Complaint(
    sentence: "Each call of `load` sends its request to the server, and sends it once.",
    expectation: #"Expectation failed: (scene.server.paths → []) == ["/articles"]"#,
    file: "Tests/Lessons/Lesson1/Step1Send.swift", line: 15)

  /// A test that a learner has added, outside of any suite.
  static let own = "Lesson1.adds()/MyTests.swift:3:2"

  static let names: [(id: String, name: String)] = [
    (sends, "one call sends one request"), (delivers, "the server's data and response come back"),
    (refreshes, "expired credentials are refreshed first"), (shows, "the response fills the labels"),
  ]

  /// A run of these tests.
  ///
  /// - Parameters:
  ///   - failing: Which of them fail, each with the same complaint.
  ///   - open: Which of them start and do not end. If there are any, the run does not end either.
  ///   - complaint: What the failing tests find wrong.
  static func progress(
    failing: [String] = [], open: [String] = [], with complaint: Complaint = Sample.complaint
  ) -> SuiteProgress {
    var progress = SuiteProgress()
    progress.add(.suite(id: "Lesson1.Step1Send", name: "Step 1: send"))
    progress.add(.suite(id: "Lesson1.Step2Authorize", name: "Step 2: authorize"))
    progress.add(.suite(id: "Lesson2.Step1ShowAndDispatch", name: "Step 1: show and dispatch"))
    for (id, name) in names { progress.add(.test(id: id, name: name)) }
    progress.add(.runStarted)
    for (id, _) in names {
      progress.add(.testStarted(id: id))
      if failing.contains(id) { progress.add(.issue(testID: id, complaint)) }
      if !open.contains(id) { progress.add(.testEnded(id: id, failed: failing.contains(id))) }
    }
    if open.isEmpty { progress.add(.runEnded) }
    return progress
  }

  /// A page with the layout of the pages in the repository.
  static let pageText = """
    # Lesson 1: The manager that does everything

    You write the class that most apps start with.

    - **Edit:** [`Exercises/Lesson1/HTTPManager.swift`](../Exercises/Lesson1/HTTPManager.swift)
    - **Run:** `swift test --filter Lesson1`

    ## The story

    ```text
    ## Not a heading
    ```

    ## Step 1: Send

    ```sh
    swift test --filter Lesson1.Step1
    ```

    <details><summary>Hint 1: a question</summary>

    What does the **session** hand
    to its completion?

    </details>

    <details>
    <summary>Hint 2: a <code>pointer</code></summary>

    Look at `dataTask`.
    </details>

    <details><summary>Hint 3: the shape</summary>

    ```swift
    session.dataTask(with: request)
    // …
    .resume()
    ```

    </details>

    ## Step 2: Authorize

    Now in [`Token.swift`](../Exercises/Lesson1/Token.swift).

    ## When you are green

    Now count.

    - Not a question.

    ### Questions

    - Which one can you test
      without the other two?
    - Where is the [order](../README.md) written down?

    """

  static let stamp = Stamp(modified: 1, size: 1)
  static let lessons = [
    Lesson(number: 1, stamps: ["Exercises/Lesson1/HTTPManager.swift": stamp], page: Page(pageText)),
    Lesson(number: 2, stamps: ["Exercises/Lesson2/ProfileViewController.swift": stamp], page: nil),
  ]

  /// The board after a run.
  static func board(
    _ progress: SuiteProgress, _ ending: RunReport.Ending = .finished, output: String = "", current: Int = 1,
    isDetailed: Bool = false, step: Int? = nil, isJustGreen: Bool = false, next: Int? = nil, missing: [String] = [],
    text: String? = nil
  ) -> BoardState {
    BoardState(
      lessons: isDetailed ? [lessons[0]] : lessons,
      report: RunReport(ending: ending, progress: progress, output: output), current: lessons[current - 1],
      isDetailed: isDetailed, step: step, isJustGreen: isJustGreen, next: next, missing: missing, text: { _ in text })
  }

  /// A pipe to something that understands Unicode.
  static let plain = Style()
  /// A terminal that shows ASCII only.
  static let ascii = Style(hasUnicode: false)
}

extension Event {
  static func suite(id: String, name: String) -> Event { Event(kind: "suite", id: id, displayName: name) }
  static func test(id: String, name: String) -> Event { Event(kind: "function", id: id, displayName: name) }
  static let runStarted = Event(kind: "runStarted")
  static let runEnded = Event(kind: "runEnded")
  static func testStarted(id: String) -> Event { Event(kind: "testStarted", testID: id) }
  static func testSkipped(id: String) -> Event { Event(kind: "testSkipped", testID: id) }
  static func testEnded(id: String, failed: Bool) -> Event {
    Event(kind: "testEnded", testID: id, messages: [.init(symbol: failed ? "fail" : "pass", text: "")])
  }
  static func issue(testID: String?, _ complaint: Complaint) -> Event {
    Event(
      kind: "issueRecorded", testID: testID,
      messages: [
        .init(symbol: "fail", text: complaint.expectation), .init(symbol: "details", text: complaint.sentence),
      ],
      issue: .init(sourceLocation: complaint.file.map { .init(_filePath: $0, line: complaint.line ?? 0) }))
  }
}

/// An empty folder for one test, removed at its end.
final class TemporaryFolder {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // As in `Repository`: on macOS, Foundation would leave out `/private`, and compilers do not.
    let real = try #require(realpath(folder, nil))
    defer { free(real) }
    path = String(cString: real)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, and creates the folders above it.
  func write(_ text: String, to relative: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(relative)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
