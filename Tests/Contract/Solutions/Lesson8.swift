import Given
import Testing

@testable import Solution8

/// The decorators of Lesson 8, and of their variants.
@Suite("The contract: Lesson 8")
struct ContractLesson8 {
  @Test func logging() async {
    await transactions.check { LoggingTransactionsLoaderDecorator(decoratee: $0, logger: Nowhere(), now: { .now }) }
  }

  @Test func tracking() async {
    await items.check { tracked($0, by: Nowhere()) }
  }

  /// What the composition root returns is a decorator, too, or the service itself.
  @Test(arguments: CompositionRoot.Context.allCases) func root(context: CompositionRoot.Context) async {
    let root = CompositionRoot(context: context, logger: Nowhere(), tracker: Nowhere(), now: { .now })

    await transactions.check { root.transactionsLoader($0) }
    await items.check { root.itemService($0) }
  }

  @Test func function() async {
    await functions.check { Functional.logged($0, logger: Nowhere(), now: { .now }) }
  }
}

private struct Nowhere: Logging, Tracker {
  func log(_ message: String) {}
  func track(values: [String]) {}
}
