import Given
import Testing

@testable import Solution7

/// The decorators of Lesson 7. Canceling a load is not part of a contract.
@Suite("The contract: Lesson 7")
struct ContractLesson7 {
  @Test func profile() async {
    await profiles.check { MainQueueDispatchDecorator<any ProfileService>(decoratee: $0) }
  }

  @Test func image() async {
    await images.check { MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: $0) }
  }
}
