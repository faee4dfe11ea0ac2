import Given
import TestSupport
import Testing

@testable import ExerciseReceipts

/// A test in the list of ``YourTests``.
typealias YourTest = (YourTests) -> () async throws -> Void

/// The store that the running test is about: the learner's own, or another one while the suite judges the test.
private enum StoreUnderTest {
  @TaskLocal static var make: ReceiptStores.Make = {
    ExerciseReceipts.makeReceipts(
      for: $0.environment, disk: $0.disk, now: $0.now, log: $0.log, track: $0.track, main: $0.main)
  }
}

/// Makes the store under test. Your tests call this function, which has the name and the parameters of yours.
func makeReceipts(
  for environment: ReceiptsEnvironment = .app, disk: any Disk, now: @escaping () -> Date,
  log: @escaping (String) -> Void, track: @escaping (String) -> Void, main: @escaping MainQueueRunner
) -> any SwitchableReceiptService {
  StoreUnderTest.make(ReceiptParts(environment: environment, disk: disk, now: now, log: log, track: track, main: main))
}

@Suite("Step 2: write characterization tests", .oneAtATime)
struct Step2YourTestsJudged {
  @Test("your tests tell right stores from wrong ones")
  func areJudged() async throws { try await YourTests.judge() }
}

extension YourTests {
  /// Judges the tests, on the actor of their suite, if it has one.
  fileprivate static func judge() async throws {
    let judge = Judge(
      of: "store", own: StoreUnderTest.make, right: ReceiptStores.right, wrong: ReceiptStores.wrong
    ) { make, test in
      try await StoreUnderTest.$make.withValue(make) { try await test() }
    }
    try await judge.judge(
      all.map { test in { try await test(YourTests())() } }, of: "YourTests",
      startingWith: "Write one about a receipt that is loaded from the disk, and list it.")
  }
}
