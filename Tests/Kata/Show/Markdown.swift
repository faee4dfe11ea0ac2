import Foundation

/// The little Markdown that the pages use.
enum Markdown {
  /// Code between fences.
  struct Fence: Equatable {
    /// `swift`, `sh`, `mermaid`, or nothing.
    let language: String
    let lines: [String]
  }

  /// The fences of a text.
  static func fences(in text: String) -> [Fence] {
    var fences: [Fence] = []
    var open: (language: String, lines: [String])?
    for line in text.components(separatedBy: "\n") {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("```") {
        if let fence = open {
          fences.append(Fence(language: fence.language, lines: fence.lines))
          open = nil
        } else {
          open = (trimmed.dropFirst(3).trimmingCharacters(in: .whitespaces), [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return fences
  }

  /// The targets of the links in a text, code left out.
  static func links(in text: String) -> [String] {
    let pattern = /\]\(([^)\s]+)\)/
    return withoutFences(text).replacing(/`[^`]*`/, with: "code").matches(of: pattern).map { String($0.1) }
  }

  /// The code between single backticks, fences left out.
  static func inlineCode(in text: String) -> [String] {
    withoutFences(text).matches(of: /`([^`\n]+)`/).map { String($0.1) }
  }

  /// The lists in some lines: for each its items, continued lines joined.
  static func lists(in lines: [String]) -> [[String]] {
    var lists: [[String]] = [[]]
    for line in lines {
      if let item = line.firstMatch(of: /^\s{0,3}(?:[-*]|\d+\.)\s+(.*)$/) {
        lists[lists.count - 1].append(String(item.1))
      } else if line.hasPrefix("  "), var last = lists[lists.count - 1].popLast() {
        last += " " + line.trimmingCharacters(in: .whitespaces)
        lists[lists.count - 1].append(last)
      } else if !line.trimmingCharacters(in: .whitespaces).isEmpty, lists.last?.isEmpty == false {
        lists.append([])
      }
    }
    return lists.filter { !$0.isEmpty }
  }

  /// A line for the terminal: without tags, emphasis, and the targets of links.
  static func plain(_ text: String) -> String {
    let untagged = text.replacing(/<\/?(?:code|b|i|em|strong|summary)>/, with: "")
    let unlinked = untagged.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
    return unlinked.replacing("**", with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&").trimmingCharacters(in: .whitespaces)
  }

  private static func withoutFences(_ text: String) -> String {
    var isInFence = false
    return text.components(separatedBy: "\n").filter { line in
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
        isInFence.toggle()
        return false
      }
      return !isInFence
    }.joined(separator: "\n")
  }
}
