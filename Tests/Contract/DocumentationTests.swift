import Foundation
import Testing

@Suite("The contract's documentation")
struct DocumentationTests {
  @Test("its examples are compiled code")
  func examples() {
    let source = Self.lines(of: "Examples.swift")
    let example = Self.lines(of: "DecoratorContract.swift").filter { $0.hasPrefix("///     ") }.map { String($0.dropFirst(8)) }

    #expect(example.count > 20, "The documentation should have an example for each form.")
    for line in example where !source.contains(line) {
      Issue.record("This line of an example should be in Examples.swift: \(line)")
    }
  }

  /// The lines of a file.
  private static func lines(of file: String) -> [String] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file)
    return ((try? String(contentsOf: url, encoding: .utf8)) ?? "").components(separatedBy: "\n")
  }
}
