import Foundation
import Testing

@Suite("The contract's documentation")
struct DocumentationTests {
  private let contract = Self.lines(of: "DecoratorContract.swift")

  @Test("its examples are compiled code")
  func examples() {
    let source = Self.lines(of: "Examples.swift")
    let example = contract.filter { $0.hasPrefix("///     ") }.map { String($0.dropFirst(8)) }

    #expect(example.count > 20, "The documentation should have an example for each form.")
    for line in example where !source.contains(line) {
      Issue.record("This line of an example should be in Examples.swift: \(line)")
    }
  }

  @Test("it imports nothing but Foundation and Testing")
  func imports() {
    #expect(contract.filter { $0.contains("import ") && !$0.hasPrefix("//") } == ["import Foundation", "import Testing"])
  }

  @Test("it begins with a version, by which copies can be compared")
  func version() {
    #expect(contract.first?.wholeMatch(of: /\/\/ DecoratorContract \d+\.\d+ \(\d{4}-\d{2}-\d{2}\): .*/) != nil)
  }

  /// The lines of a file.
  private static func lines(of file: String) -> [String] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
    return ((try? String(contentsOf: url, encoding: .utf8)) ?? "").components(separatedBy: "\n")
  }
}
