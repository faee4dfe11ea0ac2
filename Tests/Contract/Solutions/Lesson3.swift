import Given
import Testing

@testable import Solution3

/// The decorator of Lesson 3, and of its variants.
@Suite("The contract: Lesson 3")
struct ContractLesson3 {
  @Test func headers() async {
    await clients.check(
      ignoring: { $0.setValue(nil, forHTTPHeaderField: "X-App-Version") },
      decorate: { addingHeaders(["X-App-Version": "1"], to: $0) })
  }
}
