import Foundation

extension Kata {
  /// How many bytes a run may print: 50 MB. All lessons together print less than one.
  private static let limit = 50_000_000

  /// Runs the tests that match a filter, as a plain `swift test` does: each lesson ends with its first failure.
  ///
  /// A run that never ends, or that ends too early, is the business of the tests' support.
  ///
  /// - Parameters:
  ///   - filter: As in `swift test --filter`.
  ///   - options: More arguments for `swift test`.
  ///   - goesOn: Whether the result is still of interest. Called regularly.
  func test(_ filter: String, options: [String] = [], while goesOn: () -> Bool = { true }) throws -> SuiteRun {
    let files = FileManager.default.temporaryDirectory.appending(path: "kata-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: files) }
    let (stream, output) = ("\(files)/events.jsonl", "\(files)/output.txt")
    let arguments =
      ["swift", "test", "--package-path", repository.root, "--disable-xctest", "--filter", filter]
      + ["--event-stream-output-path", stream, "--event-stream-version", "0"] + options
    // It is the exercises that are judged.
    let environment = environment.filter { $0.key != "KATA_PROOF" }

    var run = SuiteRun()
    var shown = ""
    let status = try Child.run(arguments, in: repository.root, environment: environment, output: output) {
      let (size, end) = Kata.end(of: output)
      if size > Kata.limit { run.verdict = "The tests printed more than 50 MB. Look for an endless loop that prints." }
      let now = FileManager.default.fileExists(atPath: stream) ? "Testing" : Kata.activity(end)
      if now != shown { terminal.live(now) }
      shown = now
      return goesOn() && run.verdict == nil
    }
    for line in (Repository.text(stream) ?? "").split(separator: "\n") { run.read(line, root: repository.root) }
    if run.verdict == nil { run.output = (Repository.text(output) ?? "").replacing("\(repository.root)/", with: "") }
    let hasBuilt = !run.tests.isEmpty || run.verdict != nil || run.output.contains("Build complete!")
    run.ending = run.hasEnded || run.tests.isEmpty && status == 0 ? .finished : hasBuilt ? .crashed : .didNotBuild
    return run
  }

  /// What `swift test` is doing before the tests run.
  ///
  /// - Parameter output: The end of what it has printed.
  static func activity(_ output: String) -> String {
    if let step = output.matches(of: /\[(\d+\/\d+)\]/).last { return "Building \(step.1)" }
    return output.contains("Another instance of SwiftPM") ? "Waiting for another swift command to finish" : "Building"
  }

  /// The size of a file, and its last thousand bytes.
  private static func end(of path: String) -> (size: UInt64, text: String) {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return (0, "") }
    try? file.seek(toOffset: size - min(size, 1000))
    return (size, String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self))
  }
}
