import Foundation

// Whether what a page prints is true: its code, its commands, its output.

extension PagesCheck {
  /// A fault for each Swift fence that is in no source file. A line `…` in a fence stands for any number of lines.
  func snippetFaults(in text: String) -> [String] {
    Markdown.fences(in: text).filter { $0.language == "swift" }.compactMap { fence in
      let blocks = PagesCheck.squeezed(fence.text).split { ["…", "// …"].contains($0) }
      let isInSource = sources.contains { source in
        var rest = source[...]
        return blocks.allSatisfy { block in
          guard let range = rest.firstRange(of: block) else { return false }
          rest = rest[range.upperBound...]
          return true
        }
      }
      let first = fence.text.split(separator: "\n").first?.trimmingCharacters(in: .whitespaces) ?? ""
      return isInSource ? nil : "The Swift snippet that begins with `\(first)` is in no source file."
    }
  }

  /// A fault for each command that would not work here. Fences for a shell or without a language count, and inline code.
  func commandFaults(in text: String) -> [String] {
    let fences = Markdown.fences(in: text).filter { ["sh", ""].contains($0.language) }
    let lines = fences.flatMap { $0.text.components(separatedBy: "\n") } + Markdown.inlineCode(in: text)
    return lines.compactMap { line in
      commandFault(line).map { "The page shows `\(line.trimmingCharacters(in: .whitespaces))`, but \($0)." }
    }
  }

  private func commandFault(_ line: String) -> String? {
    let words = line.split(separator: " ").prefix { !$0.hasPrefix("#") }.map { $0.filter { $0 != "'" && $0 != "\"" } }
    let paths = words.compactMap { $0.prefixMatch(of: /(?:Exercises|Solutions|Lessons)\/[\w.\/-]+/).map { String($0.0) } }
    if let path = paths.first(where: { !kata.repository.exists($0) }) { return "there is no \(path)" }
    switch words.prefix(2) {
    case ["swift", "run"]:
      let arguments = words.dropFirst(3).filter { !$0.hasPrefix("[") }
      return words.dropFirst(2).first == "kata" && Command(arguments: arguments) != nil ? nil : "there is no such command"
    case ["swift", "test"]:
      let options = zip(words, words.dropFirst())
      let package = options.first { $0.0 == "--package-path" }?.1 ?? "."
      let filters = options.filter { ["--filter", "--skip"].contains($0.0) }.map(\.1)
      return filters.first { !matches($0, package: package) }.map { "no test in the package \(package) matches \($0)" }
    default: return nil
    }
  }

  /// Whether a filter matches a test.
  private func matches(_ filter: String, package: String) -> Bool {
    guard let pattern = try? Regex(filter) else { return false }
    let ids = suites.flatMap { suite in
      let module = package == "Tests" ? "Solution\(suite.lesson)Tests" : "Lesson\(suite.lesson)"
      return suite.tests.map { "\(module).\($0)" }
    }
    return (ids + ["SupportTests.", "KataTests."]).contains { $0.firstMatch(of: pattern) != nil }
  }

  /// A fault for each quoted failure whose test has no expectation at that place.
  ///
  /// Suites change, and line numbers with them: a learner should find no difference between the terminal and the page.
  func quoteFaults(in text: String) -> [String] {
    let quotes = text.matches(of: /✘ Test "(.+)" recorded an issue.* at (\w+)\.swift:(\d+):(\d+):/)
    return quotes.compactMap { quote in
      guard let line = Int(quote.3), let column = Int(quote.4) else { return nil }
      let isThere = suites.contains { suite in
        guard suite.name == quote.2, suite.lines.indices.contains(line - 1) else { return false }
        // An expectation is a macro, or a function that takes a source location, which begins at its parenthesis.
        let character = suite.lines[line - 1].utf8.dropFirst(column - 1).first.map { Character(Unicode.Scalar($0)) }
        let start = suite.lines[..<(line - 1)].lastIndex { $0.contains("@Test(") }
        let test = start.map { suite.lines[$0...].prefix(2).joined() } ?? ""
        return test.contains("\"\(quote.1)\"") && (character == "#" || character == "(")
      }
      return isThere ? nil : "The quoted failure of \"\(quote.1)\" is no longer at \(quote.2).swift:\(line):\(column)."
    }
  }

  /// A fault if no paragraph has both the number of impostors and the number of alternatives, in whatever words.
  func countFaults(in text: String) -> [String] {
    let counts = Variant.Kind.allCases.map { kind in
      kata.repository.numbers.reduce(0) {
        // Our state in the middle of a lesson is no solution.
        $0 + Variant.all(kind, ofLesson: $1, in: kata.repository).count { $0.lastStep == nil }
      }
    }
    let isThere = text.components(separatedBy: "\n\n").contains { paragraph in
      Set(paragraph.split { !$0.isNumber }.map(String.init)).isSuperset(of: counts.map(String.init))
    }
    return isThere
      ? []
      : [
        "A paragraph should say how many wrong solutions the suites reject, and how many correct ones they accept. "
          + "There are \(counts[0]) in Tests/Impostors and \(counts[1]) in Tests/Alternatives."
      ]
  }

  /// A fault for each command in a `console` fence that does not print what the fence says.
  ///
  /// Lines that begin with `$ ` are commands, which run in the root of the package. The lines after each are its output.
  func consoleFaults(in text: String) throws -> [String] {
    let fences = Markdown.fences(in: text).filter { $0.language == "console" }
    let sessions = fences.flatMap { ("\n" + $0.text).components(separatedBy: "\n$ ") }.filter { !$0.isEmpty }
    let environment = kata.environment.merging(["LC_ALL": "C"]) { $1 }
    try FileManager.default.createDirectory(atPath: kata.folder, withIntermediateDirectories: true)
    return try sessions.compactMap { session in
      let command = session.prefix { $0 != "\n" }
      guard command.hasPrefix("grep ") || command.hasPrefix("git ") else {
        return "A console block runs `\(command)`. Only `$ grep` and `$ git` are allowed."
      }
      let run = try Child.run(
        ["sh", "-c", String(command)], environment: environment, folder: kata.repository.root,
        output: "\(kata.folder)/console.txt")
      let printed = PagesCheck.squeezed(run.text)
      let said = PagesCheck.squeezed(String(session.dropFirst(command.count)))
      return printed == said ? nil : "`\(command)` prints \"\(printed.formattedList)\", not \"\(said.formattedList)\"."
    }
  }
}
