import Testing

@testable import kata

@Suite("What the terminal can show")
struct StyleTests {
  private func style(_ environment: [String: String], isTerminal: Bool = true, columns: Int? = 120) -> Style {
    Style(environment: environment, isTerminal: isTerminal, columns: columns)
  }

  @Test("a good terminal shows everything, in at most 100 columns")
  func goodTerminal() {
    #expect(style(["LANG": "de_DE.UTF-8"]) == Style(width: 100, hasColor: true, hasUnicode: true))
  }

  @Test("a pipe has 80 columns and no color")
  func pipe() {
    let expected = Style(width: 80, hasColor: false, hasUnicode: true)
    #expect(style(["LANG": "C.utf8"], isTerminal: false, columns: nil) == expected)
  }

  @Test("color can be switched off", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func withoutColor(environment: [String: String]) {
    #expect(!style(environment).hasColor)
  }

  @Test(
    "the first of the locale variables counts",
    arguments: [
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_CTYPE": "UTF-8", "LANG": "C"], true),
      (["LC_ALL": "", "LANG": "en_US.UTF-8"], true), ([:], false), (["LANG": "POSIX"], false),
    ])
  func locale(environment: [String: String], hasUnicode: Bool) {
    #expect(style(environment).hasUnicode == hasUnicode)
  }

  @Test("COLUMNS counts if it makes sense", arguments: [("60", 60), ("5", 20), ("500", 100), ("wide", 90), ("", 90)])
  func columns(value: String, width: Int) {
    #expect(style(["COLUMNS": value], columns: 90).width == width)
  }

  @Test("without Unicode, every character becomes one of ASCII")
  func ascii() {
    #expect(Sample.ascii.printable("L1 ✔ · “a” → b… für 日 █░") == "L1 + | \"a\" > b~ f?r ? #-")
  }

  @Test("block characters are shown only with color")
  func blocks() {
    #expect(Sample.plain.printable("✔ █░") == "✔ #-")
    #expect(Style(hasColor: true).printable("✔ █░") == "✔ █░")
  }

  @Test("a bar is full only if everything is done")
  func bars() {
    #expect(Style.bar(99, of: 100) == "███████████████████░")
    #expect(Style.bar(0, of: 0) == "░░░░░░░░░░░░░░░░░░░░")
    #expect(Style.bar(2, of: 2) == "████████████████████")
  }

  @Test("text is wrapped at spaces, and long words stay whole")
  func wraps() {
    let style = Style(width: 10)

    #expect(style.wrap("one two three", indent: "  ", first: "- ") == ["- one two", "  three"])
    #expect(style.wrap("swift-test-filter a") == ["swift-test-filter", "a"])
    #expect(style.wrap("a\n\nb") == ["a", "", "b"])
    #expect(style.fit("one two", 4) == "one…" && style.fit("one", 4) == "one ")
  }
}
