import Foundation

@testable import kata

/// What a run of small suites reports, and the lessons that they belong to.
enum Sample {
  static let sends = "Lesson1.Step1Send/sendsOnce()/Step1Send.swift:2:4"
  static let delivers = "Lesson1.Step1Send/delivers()/Step1Send.swift:38:4"
  static let refreshes = "Lesson1.Step2Authorize/refreshesFirst()/Step2Authorize.swift:48:4"
  static let shows = "Lesson2.Step1Show/shows()/Step1Show.swift:7:4"
  /// A test that a learner has added, outside of any suite.
  static let own = "Lesson1.adds()/MyTests.swift:3:2"

  static let names = [
    (sends, "one call sends one request"), (delivers, "the server's response is delivered"),
    (refreshes, "expired credentials are refreshed first"), (shows, "the response fills the labels"),
  ]

  static func event(_ fields: String) -> String { #"{"kind":"event","payload":{\#(fields)},"version":0}"# }

  /// An issue of a test, or of none, as a suite in a folder reports it.
  static func issue(_ id: String?, root: String = "/kata", symbol: String = "fail", line: Int = 5) -> String {
    event(
      #""kind":"issueRecorded","messages":[{"symbol":"\#(symbol)","text":"Expectation failed: 0 == 1"},"#
        + #"{"symbol":"details","text":"Send it once."}],"issue":{"sourceLocation":{"#
        + #""_filePath":"\#(root)/Tests/Lessons/Lesson1/Step1Send.swift","line":\#(line)}}"#
        + (id.map { #","testID":"\#($0)""# } ?? ""))
  }

  /// The lines of the event stream.
  ///
  /// - Parameters:
  ///   - names: The tests, with their display names.
  ///   - failing: Which tests fail.
  ///   - open: Which tests start and do not end. If there are any, the run does not end either.
  ///   - canceled: Which tests do not run.
  ///   - root: The folder of the package.
  static func events(
    _ names: [(String, String)] = names, failing: [String] = [], open: [String] = [], canceled: [String] = [],
    root: String = "/kata"
  ) -> [String] {
    var lines = [
      event(#""kind":"suite","id":"Lesson1.Step1Send","displayName":"Step 1: send""#),
      event(#""kind":"suite","id":"Lesson1.Step2Authorize","displayName":"Step 2: authorize (extra)""#),
    ]
    lines += names.map { event(#""kind":"function","id":"\#($0.0)","displayName":"\#($0.1)""#) }
    lines.append(event(#""kind":"runStarted""#))
    for (id, _) in names {
      lines.append(event(#""kind":"testStarted","testID":"\#(id)""#))
      if failing.contains(id) { lines.append(issue(id, root: root)) }
      let symbol = failing.contains(id) ? "fail" : canceled.contains(id) ? "skip" : "pass"
      if !open.contains(id) {
        lines.append(event(#""kind":"testEnded","testID":"\#(id)","messages":[{"symbol":"\#(symbol)"}]"#))
      }
    }
    return lines + (open.isEmpty ? [event(#""kind":"runEnded""#)] : [])
  }

  static func run(_ lines: [String], _ ending: SuiteRun.Ending = .finished, output: String = "") -> SuiteRun {
    var run = SuiteRun()
    for line in lines { run.read(line, root: "/kata") }
    run.ending = ending
    run.output = output
    return run
  }

  /// A page with the layout of the pages in the repository.
  static let page = """
    # Lesson 1: The manager that does everything

    - **Edit:** [`Exercises/Lesson1/HTTPManager.swift`](../Exercises/Lesson1/HTTPManager.swift)

    ## The story

    ```text
    ## Not a heading
    ```

    ## Step 1: Send

    <details><summary>Hint 1: a question</summary>

    What does the session hand to its completion?

    </details>
    <details>
    <summary>Hint 2: the shape</summary>

    ```swift
    session.dataTask(with: request)

      .resume()
    ```

    </details>

    ## Step 2: Authorize (extra)

    Read [`Token.swift`](../Exercises/Given/Token.swift), and edit [`Token.swift`](../Exercises/Lesson1/Token.swift).

    ## When you are green

    - Which one can you test?

    """

  static let lessons = [
    Lesson(folder: "Lesson1", files: ["Exercises/Lesson1/HTTPManager.swift"], edited: 1, page: Page(page)),
    Lesson(folder: "Lesson2", files: ["Exercises/Lesson2/Screen.swift"], edited: 1, page: Page("# Lesson 2: Screens\n")),
  ]

  /// The board after a run, with Lesson 1 to go on with.
  static func board(_ run: SuiteRun, isDetailed: Bool = false, step: Int? = nil, width: Int = 80, text: String? = nil) -> Board {
    Board(
      run: run, lessons: isDetailed ? [lessons[0]] : lessons, current: lessons[0], step: step, next: lessons[1],
      terminal: Terminal(width: width), text: { _ in text })
  }
}

/// An empty folder for one test, removed at its end.
final class TemporaryFolder {
  let path = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and creates the folders above it.
  func write(_ text: String, to relative: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(relative)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
