import Given
import TestSupport
import Testing

@Suite("Step 1: send", .patientOnce)
struct Step1Send {}
typealias Sending = Step1Send

@Suite("Step 2: authorize", .patientOnce)
struct Step2Authorize {
  @Test("a 401 is an answer like any other: valid credentials are not refreshed, and stay in the store")
  func deliversA401() async throws {
    let scene = Scene(credentials: .valid)
    scene.server.answer("/articles", with: .response(401))

    let (_, response) = try await scene.load().expectSuccess("What a 401 means is for the caller to say: deliver it.")

    #expect(response.statusCode == 401, "The status has to come back as the server sent it.")
    #expect(scene.server.paths == ["/articles"], "By the clock the credentials are valid: nothing is refreshed or sent again.")
    #expect(scene.store.credentials == .valid, "The credentials belong to the user, who has not signed out.")
  }
}
typealias Authorizing = Step2Authorize

@Suite("Step 3: block", .patientOnce)
struct Step3Block {}
typealias Blocking = Step3Block
