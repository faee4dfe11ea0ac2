import Given
import TestSupport
import Testing

@testable import Exercise6

// For "On your own", at the end of the page: write one test here, as a function outside of any type. Then `swift run kata` does
// not count it.
//
// A `Scene` (Scene.swift) has a factory, the server behind it, and a journal of everything that happens. What the log receives
// begins with `log:`.
//
//   @Test("…")
//   func yourTest() async throws {
//     let scene = Scene()
//     scene.server.respond(to: "/broken", with: .response(500))
//     scene.server.respond(to: "/offline", with: .failure(.notConnectedToInternet))
//
//     try await scene.load(scene.request("/broken"), with: scene.factory.makeClient(for: .debug))
//
//     #expect(scene.journal.entries.filter { $0.hasPrefix("log:") } == […])
//   }
