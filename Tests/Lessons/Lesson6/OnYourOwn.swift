import Given
import TestSupport
import Testing

@testable import Exercise6

// For "On your own", at the end of the page: write one test here, as a function outside of any type. Then `swift run kata` does
// not count it.
//
// An `App` has a server, and a journal of everything that happens. The server responds with a 404 to each path that you have not
// set, except `/articles` and `/token`. What the log receives begins with `log:`. An error has its domain and its code where a
// response has its status: "log: GET /offline NSURLErrorDomain -1009, 0.0 seconds".
//
//   @Test("…")
//   func yourTest() async throws {
//     let app = App()
//     app.server.respond(to: "/broken", with: .response(500))
//     app.server.respond(to: "/offline", with: .failure(.notConnectedToInternet))
//
//     try await app.load(app.request("/broken"), with: app.client(.debug))
//
//     #expect(app.journal.values.filter { $0.hasPrefix("log:") } == […])
//   }
