import Given
import TestSupport
import Testing

@Suite("Spies and leak tracking")
struct SpyTests {
  @Test("the client spy stores each completion until the test calls it")
  func clientSpyAnswers() throws {
    let spy = HTTPClientSpy()
    let results = Inbox<String>()
    for path in ["first", "second"] {
      spy.load(URLRequest(url: URL(string: "https://example.com/\(path)")!)) { _ in results.receive(path) }
    }
    #expect(spy.requests.map(\.url?.lastPathComponent) == ["first", "second"])
    #expect(results.values.isEmpty)

    spy.calls.complete(1, with: .failure(HTTPClientError.signedOut))
    spy.calls.complete(0, with: .failure(HTTPClientError.signedOut))

    #expect(results.values == ["second", "first"])
  }

  @Test("completing a call that was never made is reported without a crash")
  func reportsMissingCall() {
    withKnownIssue {
      HTTPClientSpy().calls.complete(with: .failure(HTTPClientError.signedOut))
    } matching: { issue in
      issue.comments.first?.rawValue == "By now, the client should have been called once, but it was not called."
    }
  }

  @Test("a clock remarks on a failure only if it was read too rarely")
  func remarksOnReadings() {
    let clock = ManualClock()

    #expect(clock.remark(on: ["a refresh starts"], about: "refresh")?.hasPrefix("`now` was never called.") == true)
    #expect(clock.remark(on: ["a request is sent"], about: "refresh") == nil)
    _ = clock.readDate()
    #expect(clock.remark(on: ["a refresh starts"], about: "refresh") == nil)
    #expect(clock.remark(on: ["a refresh starts"], about: "refresh", requiring: 2)?.contains("only once") == true)
  }

  @Test("an object that is alive after its scene is reported")
  func reportsLeak() async {
    var kept: Label?

    await withKnownIssue {
      await expectReleased("The label is still alive.") { kept = $0.track(Label()) }
    }
    #expect(kept != nil)
  }

  @Test("leak tracking waits for objects that the main queue retains")
  func drainsBeforeItJudges() async {
    await expectReleased("The label is still alive.") { leaks in
      let label = UncheckedBox(leaks.track(Label()))
      DispatchQueue.main.async { label.value.text = "held until now" }
    }
  }
}

private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
