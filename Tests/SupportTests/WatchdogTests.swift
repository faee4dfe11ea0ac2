import TestSupport
import Testing

@Suite("The watchdog")
struct WatchdogTests {
  private let watchdog = Watchdog()

  @Test("a run may go on as long as something happens", arguments: [false, true])
  func noticesASilence(tasksRun: Bool) throws {
    let test = try #require(Test.current)
    // If no task can run, it is patient.
    let patience = (tasksRun ? 1 : 3) * Watchdog.limit
    func waits(halfSeconds: Int) -> [String] {
      (0..<halfSeconds).compactMap { _ in
        let complaint = watchdog.halfASecondHasPassed()
        if tasksRun { watchdog.taskHasRun() }
        return complaint
      }
    }
    #expect(waits(halfSeconds: 2 * patience).isEmpty, "Nothing is running.")

    watchdog.begin(test)
    for _ in 1...3 {
      #expect(waits(halfSeconds: patience).isEmpty)
      watchdog.noteProgress()
    }
    #expect(waits(halfSeconds: patience).isEmpty)
    let complaint = try #require(waits(halfSeconds: 1).first)
    #expect(complaint.hasPrefix("no test made progress for \(tasksRun ? 20 : 60) seconds while \"a run may go on"))
  }
}
