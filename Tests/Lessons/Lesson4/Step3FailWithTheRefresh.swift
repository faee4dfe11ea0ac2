import Given
import TestSupport
import Testing

@testable import Exercise4

@Suite("Step 3: fail with the refresh", .patientOnce)
struct Step3FailWithTheRefresh {
  @Test(
    "when the refresh fails, so does the request, and it goes nowhere",
    arguments: [URLError(.notConnectedToInternet), TokenEndpoint.Refused(statusCode: 400)] as [any Error])
  func fails(error: any Error) async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.elaborate)
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(error))

    try await scene.expectFailure(
      HTTPClientError.sessionExpired, "There are no new credentials: deliver `HTTPClientError.sessionExpired`.")
    #expect(scene.sent.isEmpty, "Without new credentials the decoratee must not be asked.")
  }

  @Test(
    "the stored credentials stay as they are",
    arguments: [URLError(.timedOut), TokenEndpoint.Refused(statusCode: 400)] as [any Error])
  func keepsTheCredentials(error: any Error) async throws {
    let scene = Scene(credentials: .expired)

    scene.load(.elaborate)
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(error))

    _ = try await scene.answer()
    #expect(scene.refresher.calls.count == 1, "One request, one refresh: trying again at once is not asked for.")
    #expect(scene.store.writes.isEmpty, "The refresh may work next time: leave the store alone.")
  }

  @Test(
    "the next request tries again", arguments: [URLError(.timedOut), TokenEndpoint.Refused(statusCode: 400)] as [any Error])
  func triesAgain(error: any Error) async throws {
    let scene = Scene(credentials: .expired)

    scene.load("first")
    await scene.refreshes(1)
    scene.refresher.calls.complete(with: .failure(error))
    _ = try await scene.answer(to: "first")
    scene.load("second")
    await scene.refreshes(2)
    #expect(scene.refreshTokens.count == 2, "A refresh that failed is over: the next request asks the refresher again.")

    scene.refresher.calls.complete(1, with: .success(.renewed))
    await scene.sends(1)
    #expect(scene.sent == ["second new-token"], "The second refresh went well, so the second request is sent.")
    scene.client.calls.complete(with: .status(200, "answer"))
    #expect(try await scene.answer(to: "second").text == "200 answer", "The second request has an answer of its own.")
    _ = try await scene.answer(to: "first")
  }
}
