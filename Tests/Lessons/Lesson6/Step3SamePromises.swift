import Given
import TestSupport
import Testing

@testable import Exercise6

// What Lesson 1 asks of the manager belongs to this suite as well: see Step3Send.swift, Step3Authorize.swift and
// Step3Block.swift. They are Lesson 1's own files. The `Scene` of this lesson makes a composed client where Lesson 1's makes
// a manager.
typealias Sending = Step3SamePromises
typealias Authorizing = Step3SamePromises
typealias Blocking = Step3SamePromises

@Suite("Step 3: the same promises", .patientOnce)
struct Step3SamePromises {
  @Test(
    "the refresh goes out through a client without decorators",
    arguments: [HTTPClientFactory.Environment.debug, .production])
  func refreshesPastTheDecorators(environment: HTTPClientFactory.Environment) async throws {
    let scene = Scene(credentials: .expired)

    _ = try await scene.load(with: scene.makeFactory().makeClient(for: environment)).expectSuccess(
      "The refresh went well and the server answered.")

    let refresh = try #require(scene.server.requests.first, "Nothing was sent at all.")
    #expect(refresh.url?.path == "/token", "The credentials have expired: refresh first.")
    #expect(refresh.authorization == nil, "The refresh pays with the refresh token. It carries no access token.")
    #expect(!scene.log.values.map(\.path).contains("/token"), "The refresh is not one of the app's requests: it is not logged.")
    #expect(
      scene.journal.entries.filter { $0 == "block list: blocked?" }.count == 1,
      "The block list was asked for the request. It is not asked again for the refresh.")
  }

  @Test(
    "a refresh that is refused ends the session, and starts nothing else",
    arguments: [StubServer.Answer.response(401), .permanentBlock])
  func endsWithARefusedRefresh(refusal: StubServer.Answer) async throws {
    let scene = Scene(credentials: .expired)
    scene.server.answer("/token", with: refusal)

    try await scene.load().expectFailure(
      HTTPClientError.sessionExpired, "There are no new credentials: the request ends with `HTTPClientError.sessionExpired`.")

    #expect(scene.server.paths == ["/token"], "A refused refresh is not repeated, and nothing else is sent.")
    #expect(scene.blockList.blocks == 0, "The refresh goes past the block list, and so does its answer.")
  }
}
