import Given
import TestSupport
import Testing

import struct Given.Timing

@testable import ExerciseMiddleware

/// A test in the list of ``YourTests``.
typealias YourTest = @Sendable (YourTests) -> @Sendable () async throws -> Void

/// The middleware that the running test is about: the one in the exercise, or another one while the suite judges the test.
private enum MiddlewareUnderTest {
  @TaskLocal static var make: TimingMiddlewares.Make = ExerciseMiddleware.timing
}

/// Makes the middleware under test. Your tests call this function, which has the name and the parameters of the finished one.
func timing(
  now: @escaping @Sendable () -> ContinuousClock.Instant, report: @escaping @Sendable (Timing) -> Void
) -> Middleware {
  MiddlewareUnderTest.make(now, report)
}

@Suite("Step 1: test a middleware", .oneAtATime)
struct Step1YourTestsJudged {
  @Test("your tests tell right middlewares from wrong ones")
  func areJudged() async throws { try await YourTests.judge() }
}

extension YourTests {
  /// Judges the tests, on the actor of their suite, if it has one.
  fileprivate static func judge() async throws {
    let judge = Judge(
      of: "middleware", own: MiddlewareUnderTest.make, named: "`timing`, as we gave it to you", right: TimingMiddlewares.right,
      wrong: TimingMiddlewares.wrong
    ) { make, test in
      try await MiddlewareUnderTest.$make.withValue(make) { try await test() }
    }
    try await judge.judge(
      all.map { test in { try await test(YourTests())() } }, of: "YourTests",
      startingWith: "Write one for the first rule of step 1, and list it.")
  }
}
