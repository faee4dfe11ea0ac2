import Given
import TestSupport
import Testing

import struct Given.Timing

@testable import Exercise9

/// A test in the list of ``Step7YourTests``.
typealias YourTest = @Sendable (Step7YourTests) -> @Sendable () async throws -> Void

/// The middleware that the running test is about: the one in the exercise, or another one while the suite judges the test.
private enum MiddlewareUnderTest {
  @TaskLocal static var make: TimingMiddlewares.Make = Exercise9.timing
}

/// Makes the middleware under test. Your tests call this function, which has the name and the parameters of the finished one.
func timing(
  now: @escaping @Sendable () -> ContinuousClock.Instant, report: @escaping @Sendable (Timing) -> Void
) -> Middleware {
  MiddlewareUnderTest.make(now, report)
}

extension Step7YourTests {
  @Test("your tests tell right middlewares from wrong ones")
  func areJudged() async throws {
    let judge = Judge(
      of: "middleware", own: MiddlewareUnderTest.make, named: "`timing`, as we gave it to you", right: TimingMiddlewares.right,
      wrong: TimingMiddlewares.wrong
    ) { make, test in
      try await MiddlewareUnderTest.$make.withValue(make) { try await test() }
    }
    try await judge.judge(
      Self.all.map { test in { try await test(Step7YourTests())() } },
      startingWith: "Write one for the first rule of step 7, and list it.")
  }
}
