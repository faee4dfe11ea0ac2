import Given
import TestSupport
import Testing

@testable import Solution5

/// The decorators of Lesson 5.
@Suite("The contract: Lesson 5")
struct ContractLesson5 {
  @Test func block() async {
    await clients.check { blocking($0, with: BlockListSpy()) }
  }

  /// The response is changed here, which is the job. The other promises remain. After a block, no other call is forwarded.
  @Test func announcedBlock() async {
    var contract = clients
    (contract.requests, contract.results) = ([.elaborate], [.permanentBlock])
    await contract.check(except: [.unchanged]) { blocking($0, with: BlockListSpy()) }
  }

  @Test func logger() async {
    await clients.check { logging($0, to: NoLog(), now: { .now }) }
  }

  @Test func requestWithoutURL() async {
    var contract = clients
    contract.requests.append(.withoutURL)
    await contract.check { logging(blocking($0, with: BlockListSpy()), to: NoLog(), now: { .now }) }
  }
}

private final class NoLog: HTTPLog {
  func add(_ record: HTTPLogRecord) {}
}
