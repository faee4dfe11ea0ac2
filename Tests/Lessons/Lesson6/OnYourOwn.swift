import Given
import TestSupport
import Testing

@testable import Exercise6

// For "On your own", at the end of the page: write one test here, as a function outside of any type. Then `swift run kata` does
// not count it.
//
// A `World` (World.swift) has a factory, the server behind it, and a journal of everything that happens. The server responds with
// a 404 to each path that you have not set, except `/articles` and `/token`. What the log receives begins with `log:`. An error has
// its domain and its code where a response has its status: "log: GET /offline NSURLErrorDomain -1009, 0.0 seconds".
//
//   @Test("…")
//   func yourTest() async throws {
//     let world = World()
//     world.server.respond(to: "/broken", with: .response(500))
//     world.server.respond(to: "/offline", with: .failure(.notConnectedToInternet))
//
//     try await world.load(world.request("/broken"), with: world.factory.makeClient(for: .debug))
//
//     #expect(world.journal.entries.filter { $0.hasPrefix("log:") } == […])
//   }
