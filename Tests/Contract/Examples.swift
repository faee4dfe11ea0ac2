import Foundation
import Testing

// The contract for two services that the file has never seen: one with a completion, and one with an async
// method. What is used on any thread is `nonisolated`, so that the file compiles in a module on the main actor, too.

// MARK: A method with a completion

/// Finds the products of the shop.
nonisolated protocol Search {
  func find(_ text: String, completion: @escaping (Result<[String], any Error>) -> Void)
}

/// Logs what customers have searched for.
nonisolated struct LoggingSearch: Search {
  let decoratee: any Search
  let log: (String) -> Void

  func find(_ text: String, completion: @escaping (Result<[String], any Error>) -> Void) {
    decoratee.find(text) { result in
      log(text)
      completion(result)
    }
  }
}

let search = DecoratorContract<any Search, String, Result<[String], any Error>>(
  requests: ["tea", "bread and butter"],
  results: [.success(["b", "a"]), .success([]), .failure(URLError(.timedOut)), .failure(CancellationError())],
  makeDecoratee: { SearchStub(forward: $0) },
  call: { $0.find($1, completion: $2) })

nonisolated struct SearchStub: Search {
  let forward: @Sendable (String, @escaping (Result<[String], any Error>) -> Void) -> Void

  func find(_ text: String, completion: @escaping (Result<[String], any Error>) -> Void) { forward(text, completion) }
}

@Test func loggingSearch() async {
  await search.check { LoggingSearch(decoratee: $0, log: { _ in }) }
}

// MARK: An async method with two parameters

/// Translates what a product is called.
nonisolated protocol Translating: Sendable {
  func translate(_ text: String, into language: Locale.Language) async throws -> String
}

/// Sends no spaces around a text.
nonisolated struct TrimmingTranslating: Translating {
  let decoratee: any Translating

  func translate(_ text: String, into language: Locale.Language) async throws -> String {
    try await decoratee.translate(text.trimmingCharacters(in: .whitespaces), into: language)
  }
}

let translating = DecoratorContract<any Translating, (text: String, language: Locale.Language), Result<String, any Error>>(
  requests: [("tea", .init(identifier: "fr")), (" bread", .init(identifier: "de"))],
  results: [.success("thé"), .success(""), .failure(URLError(.timedOut)), .failure(CancellationError())],
  makeDecoratee: { TranslatingStub(forward: $0) },
  call: { try await $0.translate($1.text, into: $1.language) })

nonisolated struct TranslatingStub: Translating {
  let forward: @Sendable ((text: String, language: Locale.Language)) async throws -> String

  func translate(_ text: String, into language: Locale.Language) async throws -> String {
    try await forward((text, language))
  }
}

@Test func trimmingTranslating() async {
  await translating.check(
    ignoring: { $0.text = $0.text.trimmingCharacters(in: .whitespaces) },
    decorate: { TrimmingTranslating(decoratee: $0) })
}
