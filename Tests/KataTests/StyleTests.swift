import Testing

@testable import kata

@Suite("What the terminal can show")
struct StyleTests {
  private func style(_ environment: [String: String], isTerminal: Bool = true, columns: Int? = 120) -> Style {
    Style(environment: environment, isTerminal: isTerminal, columns: columns)
  }

  @Test("a good terminal has everything, up to 100 columns")
  func goodTerminal() {
    #expect(style(["LANG": "de_DE.UTF-8"]) == Style(width: 100, hasColor: true, hasUnicode: true, hasBlocks: true))
  }

  @Test("a pipe has neither colour nor blocks, and 80 columns")
  func pipe() {
    let expected = Style(width: 80, hasColor: false, hasUnicode: true, hasBlocks: false)
    #expect(style(["LANG": "C.utf8"], isTerminal: false, columns: nil) == expected)
  }

  @Test("colour can be refused", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
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
    #expect(style(environment).hasBlocks == hasUnicode)
  }

  @Test("COLUMNS counts, within reason", arguments: [("60", 60), ("5", 20), ("500", 100), ("wide", 90), ("", 90)])
  func columns(value: String, width: Int) {
    #expect(style(["COLUMNS": value], columns: 90).width == width)
  }

  @Test("without Unicode every character is ASCII")
  func ascii() {
    #expect(Sample.ascii.text("L1 ✔ · “a” → b… für 日") == "L1 ok | \"a\" -> b... fuer ?")
    #expect(Sample.ascii.bar(1, of: 3, width: 6) == "##----")
  }

  @Test("a bar is full only at the end")
  func bars() {
    #expect(Sample.plain.bar(99, of: 100, width: 4) == "███░")
    #expect(Sample.plain.bar(0, of: 0, width: 2) == "░░")
    #expect(Sample.plain.bar(2, of: 2, width: 2) == "██")
  }

  @Test("text is broken at spaces, and long words stay whole")
  func wraps() {
    let style = Style(width: 10)

    #expect(style.wrap("one two three", indent: "  ", first: "- ") == ["- one two", "  three"])
    #expect(style.wrap("swift-test-filter a") == ["swift-test-filter", "a"])
    #expect(style.wrap("a\n\nb") == ["a", "", "b"])
  }
}
