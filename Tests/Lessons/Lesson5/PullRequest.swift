import Given

@testable import Exercise5

/// A change of our blocking decorator, or of our logger, that somebody proposes. What happens with it is played, not written down.
struct PullRequest: Sendable {
  typealias Make =
    @Sendable (any HTTPClient, any BlockList, any HTTPLog, @escaping () -> ContinuousClock.Instant) -> any HTTPClient

  /// The pull requests of the page, by number.
  static let all = [1: number1, 2: number2, 4: number4, 5: number5]

  /// The pull request that a story is about; `nil` if it is about the learner's code.
  @TaskLocal static var underReview: PullRequest?

  /// The rules that it breaks: one mistake may break two of them.
  let brokenRules: [Rule]
  let subject: Subject
  let make: Make

  /// - Parameters:
  ///   - rules: The rules that it breaks.
  ///   - blocks: Whether it changes the blocking decorator, and not the logger.
  ///   - make: Wraps a client.
  init(breaks rules: Rule..., blocks: Bool, _ make: @escaping Make) {
    (brokenRules, subject, self.make) = (rules, blocks ? .blocking : .logging, make)
  }
}
