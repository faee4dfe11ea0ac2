import TestSupport
import Testing

// Lesson 6 does not make this promise: its client refreshes after a 401.
extension Step2Authorize {
  @Test("a 401 is delivered and starts no refresh")
  func deliversA401() async {
    await story(RequestStory(.valid), "A 401 is a response like any other. Deliver it, and let the caller decide what it means.")
    {
      await $0.play(.backEnd(responds: .response(401)))
      await $0.play(.load(), leadsToAllOf: ["GET /articles is sent with valid-token", "/articles receives 401"])
    }
  }
}
