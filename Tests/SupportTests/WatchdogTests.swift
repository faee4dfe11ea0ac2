import TestSupport
import Testing

@Suite("The watchdog")
struct WatchdogTests {
  private let watchdog = Watchdog()

  @Test("a run may go on as long as something happens")
  func noticesASilence() throws {
    let test = try #require(Test.current)
    // Without its thread, nothing tells the watchdog that a task has run, so it is patient.
    let patience = 3 * Watchdog.limit
    #expect((0..<2 * patience).allSatisfy { _ in watchdog.halfASecondHasPassed() == nil }, "Nothing is running.")

    watchdog.begin(test)
    for _ in 1...3 {
      #expect((0..<patience - 2).allSatisfy { _ in watchdog.halfASecondHasPassed() == nil })
      watchdog.noteProgress()
    }
    #expect((0..<patience).allSatisfy { _ in watchdog.halfASecondHasPassed() == nil })
    #expect(watchdog.halfASecondHasPassed()?.hasPrefix("no test made progress for 20 seconds while \"a run may go on") == true)
  }
}
