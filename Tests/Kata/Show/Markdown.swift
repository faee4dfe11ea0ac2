import Foundation

/// The small part of Markdown that the pages use.
enum Markdown {
  /// Code between fences.
  struct Fence: Equatable {
    /// `swift`, `sh`, `mermaid`, or nothing.
    let language: String
    let text: String
  }

  private static var fence: Regex<(Substring, Substring, Substring)> {
    /^[ \t]*```(\w*)[^\n]*\n(?s:(.*?))^[ \t]*```[ \t]*$/.anchorsMatchLineEndings()
  }

  /// The fences of a text.
  static func fences(in text: String) -> [Fence] {
    text.matches(of: fence).map { Fence(language: String($0.1), text: String($0.2)) }
  }

  /// The targets of the links in a text, without those in code.
  static func links(in text: String) -> [String] {
    let prose = text.replacing(fence, with: "").replacing(/`[^`]*`/, with: "code")
    return prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
  }

  /// The code between single backticks, without fences.
  static func inlineCode(in text: String) -> [String] {
    text.replacing(fence, with: "").matches(of: /`([^`\n]+)`/).map { String($0.1) }
  }

  /// A paragraph for the terminal: one line, without tags, emphasis, and the targets of links.
  static func plain(_ text: String) -> String {
    let untagged = text.replacing(/\s+/, with: " ").replacing(/<\/?(?:code|b|i|em|strong|summary)>/, with: "")
    let unlinked = untagged.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
    return unlinked.replacing("**", with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&").trimmingCharacters(in: .whitespaces)
  }
}
