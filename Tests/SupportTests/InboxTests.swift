import Foundation
import TestSupport
import Testing

@Suite("Inbox")
struct InboxTests {
  @Test("a value from any queue resumes the test that waits for it")
  func wakes() async throws {
    let inbox = Inbox<Int>()

    DispatchQueue.global().async { inbox.receive(42) }

    #expect(try await inbox.only("No value was delivered.") == 42)
  }

  @Test("a hundred values from many threads are all counted")
  func countsAll() async {
    let inbox = Inbox<Int>()

    DispatchQueue.global().async {
      DispatchQueue.concurrentPerform(iterations: 100) { inbox.receive($0) }
    }

    #expect(await inbox.receives(100))
    #expect(inbox.values.sorted() == Array(0..<100))
  }

  @Test("a missing value is reported once, with the test's message")
  func reportsSilence() async {
    let inbox = Inbox<Int>()

    await withKnownIssue {
      await #expect(throws: (any Error).self) {
        try await Deadline.$current.withValue(Deadline(seconds: 0.01)) {
          try await inbox.only("The completion was never called.")
        }
      }
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["The completion was never called."]
    }
  }

  @Test("a second value is reported")
  func reportsTheSecond() async throws {
    let inbox = Inbox<Int>()
    inbox.receive(1)
    inbox.receive(2)

    try await withKnownIssue {
      let first = try await inbox.only("No value was delivered.")
      #expect(first == 1)
    } matching: { issue in
      issue.comments.first?.rawValue == "The completion was called 2 times. Call it exactly once on every path."
    }
  }
}
