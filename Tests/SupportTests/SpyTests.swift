import Given
import TestSupport
import Testing

@Suite("Spies and leak tracking")
struct SpyTests {
  @Test("completing a call that was never made is reported without a crash")
  func reportsMissingCall() {
    withKnownIssue {
      HTTPClientSpy().calls.complete(with: .failure(HTTPClientError.signedOut))
    } matching: { issue in
      issue.comments.first?.rawValue == "By now, the client should have been called once, but it was not called."
    }
  }

  @Test("an object that is alive after its scene is reported")
  func reportsLeak() async {
    var kept: Label?

    await withKnownIssue {
      await expectReleased("The label is still alive.") { kept = $0.track(Label()) }
    }
    #expect(kept != nil)
  }
}
