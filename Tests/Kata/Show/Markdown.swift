import Foundation

/// The small part of Markdown that the pages use.
enum Markdown {
  /// The targets of the links in a text.
  static func links(in text: String) -> [String] { text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) } }

  /// A paragraph for the terminal: one line, without tags, emphasis, and the targets of links.
  static func plain(_ text: String) -> String {
    let untagged = text.replacing(/\s+/, with: " ").replacing(/<\/?(?:code|b|i|em|strong|summary)>/, with: "")
    let unlinked = untagged.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
    return unlinked.replacing("**", with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&").trimmingCharacters(in: .whitespaces)
  }
}
