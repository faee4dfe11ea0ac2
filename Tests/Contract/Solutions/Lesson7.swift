import Given
import Testing

@testable import Solution7

/// The decorators of Lesson 7, and of their variants. Canceling a load is not part of a contract.
@Suite("The contract: Lesson 7")
struct ContractLesson7 {
  @Test func profile() async {
    await profiles.check { MainQueueDispatchDecorator<any ProfileService>(decoratee: $0) }
  }

  @Test func user() async {
    await users.check { MainQueueDispatchDecorator<any UserLoader>(decoratee: $0) }
  }

  @Test func feed() async {
    await feeds.check { MainQueueDispatchDecorator<any FeedLoader>(decoratee: $0) }
  }

  @Test func image() async {
    await images.check { MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: $0) }
  }
}
