import TestSupport
import Testing

@Suite("The judge of a learner's tests")
struct JudgeTests {
  private let file = """
    static let all: [YourTest] = [addsAHeader, ignoresCase]

    @Test func addsAHeader() async throws {}
    // @Test func isCommentedOut() {}
    @Test("the func sends once") @MainActor func sendsOnce() { /* not sendsTwice */ }
    @Test func `a raw name`() {}
    func makeSUT() {}
    @Test func ignoresCase() {}
    """

  @Test("a test that is not in the list is found, whatever comments and texts say", arguments: ["\n", "\r\n"])
  func findsAnUnlistedTest(newline: String) {
    let file = file.replacing("\n", with: newline)

    #expect(Judge<Void>.unlistedTest(in: file) == "sendsOnce")
    #expect(Judge<Void>.unlistedTest(in: file.replacing("[addsAHeader", with: "[sendsOnce, addsAHeader")) == nil)
  }
}
