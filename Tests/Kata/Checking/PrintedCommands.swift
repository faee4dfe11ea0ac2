/// Whether the commands that a page prints would do something here.
struct PrintedCommands {
  /// The IDs of the learner's tests and suites, as filters see them: `Lesson1.Step1Send/sendsOnce()`.
  let ids: [String]
  /// The IDs of the package below Tests: `Solution1Tests.Step1Send/sendsOnce()`.
  let proofIDs: [String]
  /// Whether there is something at a path, from the root of the package.
  let exists: (String) -> Bool

  /// A sentence for each command that does not exist. Fences for a shell or without a language count, and inline code.
  func faults(in text: String) -> [String] {
    let shells = ["sh", "bash", "zsh", "shell", "console", ""]
    let lines = Markdown.fences(in: text).filter { shells.contains($0.language) }.flatMap(\.lines)
    return (lines + Markdown.inlineCode(in: text)).compactMap(fault)
  }

  private func fault(_ line: String) -> String? {
    var words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }.map { $0.filter { $0 != "'" && $0 != "\"" } }
    if words.first == "$" { words.removeFirst() }
    let reason: String? =
      switch words.prefix(2) {
      case ["swift", "test"]: filterFault(words)
      case ["swift", "run"]: runFault(Array(words.dropFirst(2)))
      case ["git", "diff"] where words.contains("--no-index"): pathFault(words.dropFirst(3))
      // Which branches there are is a matter of the clone, not of the page.
      case ["git", "restore"]: pathFault(words.dropFirst(words.contains("--source") ? 4 : 2))
      case ["cp", "-R"]: pathFault(words.dropFirst(2))
      default: nil
      }
    return reason.map { "The command `\(words.joined(separator: " "))` is printed, but \($0)." }
  }

  private func filterFault(_ words: [String]) -> String? {
    let options = zip(words, words.dropFirst())
    let package = options.first { $0.0 == "--package-path" }?.1 ?? "."
    guard let ids = [".": ids, "Tests": proofIDs][package] else { return "there is no package at \(package)" }
    for (option, filter) in options where option == "--filter" || option == "--skip" {
      guard let pattern = try? Regex(filter) else { return "\(filter) is no regular expression" }
      if !ids.contains(where: { $0.firstMatch(of: pattern) != nil }) { return "no test matches \(filter)" }
    }
    return nil
  }

  private func runFault(_ words: [String]) -> String? {
    guard words.first == "kata" else { return "there is only `swift run kata`" }
    let arguments = Array(words.dropFirst()).filter { !$0.hasPrefix("[") }
    return (try? Command(arguments: arguments)) == nil ? "kata knows no such command" : nil
  }

  private func pathFault(_ words: ArraySlice<String>) -> String? {
    let missing = words.first { !$0.hasPrefix("-") && !exists($0) }
    return missing.map { "there is no \($0)" }
  }
}
