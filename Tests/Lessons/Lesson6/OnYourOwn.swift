import Given
import TestSupport
import Testing

@testable import Exercise6

// For "On your own", at the end of the page: write one test here, as a function outside of any type. Then `swift run kata` does
// not count it.
//
// A `Scene` (Scene.swift) has a factory, the server behind it, and a journal of everything that happens:
//
//   @Test("…")
//   func yourTest() async throws {
//     let scene = Scene()
//     scene.server.respond(to: "/articles", with: .response(500))
//
//     try await scene.load(with: scene.factory.makeClient(for: .debug))
//
//     #expect(scene.journal.entries == […])
//   }
