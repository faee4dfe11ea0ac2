import Given
import TestSupport
import Testing

@Suite("Queues and views")
struct QueueTests {
  @MainActor
  @Test("the main actor is on the main queue")
  func mainActor() {
    #expect(MainQueue.isCurrent)
  }

  @Test("a block on a queue that targets the main queue is on it")
  func mainQueue() async {
    let targetsMain = DispatchQueue(label: "targets main", target: .main)
    let results = Inbox<Bool>()

    _ = await returns(on: .main) { results.receive(MainQueue.isCurrent) }
    _ = await returns(on: targetsMain) { results.receive(MainQueue.isCurrent) }

    #expect(results.values == [true, true])
  }

  @Test("a block on another queue is not on it")
  func otherQueues() async {
    let results = Inbox<Bool>()

    _ = await returns(on: .global()) { results.receive(MainQueue.isCurrent) }
    _ = await returns(on: DispatchQueue(label: "serial")) { results.receive(MainQueue.isCurrent) }

    #expect(results.values == [false, false])
  }

  @MainActor
  @Test("draining the main queue waits for its blocks and operations")
  func drained() async {
    let (operations, blocks) = (Inbox<Int>(), Inbox<Int>())

    for number in 1...100 { OperationQueue.main.addOperation { operations.receive(number) } }
    DispatchQueue.main.async { blocks.receive(1) }
    await mainQueueDrained()

    #expect(operations.values == Array(1...100))
    #expect(blocks.values == [1])
  }

  @MainActor
  @Test("another queue's block is not on the main queue, on any thread")
  func otherQueueFromMain() {
    #expect(DispatchQueue(label: "serial").sync { MainQueue.isCurrent } == false)
  }

  @Test("views record only the writes off the main queue")
  func viewsRecord() async {
    let (label, errorView) = (Label(), ErrorView())

    _ = await returns(on: .main) {
      label.text = "on"
      errorView.show(message: "on")
    }
    #expect(label.writesOffMainQueue.isEmpty)
    #expect(errorView.writesOffMainQueue.isEmpty)

    _ = await returns(on: .global()) {
      label.text = "off"
      errorView.show(message: "off")
    }
    #expect(label.writesOffMainQueue == [#"Label.text = "off""#])
    #expect(errorView.writesOffMainQueue == [#"ErrorView.show(message: "off")"#])
    #expect(label.texts == ["on", "off"])
    #expect(errorView.messages == ["on", "off"])
  }
}
