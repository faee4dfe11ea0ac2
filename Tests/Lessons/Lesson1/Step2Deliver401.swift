import Given
import TestSupport
import Testing

// Lesson 6 does not make this promise: its client refreshes after a 401.
extension Step2Authorize {
  @Test("a 401 is delivered without a refresh")
  func deliversA401() async throws {
    let scene = Scene(credentials: .valid)
    scene.server.respond(to: "/articles", with: .response(401))

    let (_, response) = try await scene.load().expectSuccess(
      "A 401 should be delivered like any other response. Let the caller decide what it means.")

    #expect(response.statusCode == 401, "The response should have the status that the server sent. Deliver it unchanged.")
    #expect(
      scene.server.paths == ["/articles"],
      "The server should receive one request. Only expired credentials are refreshed, and no request is repeated.")
    #expect(
      scene.store.credentials == .valid, "The store should be unchanged. A 401 neither triggers a refresh nor signs out the user."
    )
  }
}
