import Foundation
import Given
import TestSupport
import Testing

@Suite("A process that is stopped")
struct StopTests {
  @Test("half a minute at a breakpoint, or with a closed laptop, ends no wait")
  func endsNoWait() async {
    // Without a stop, no wait lasts longer than nineteen seconds, and that only if nothing else can run.
    await #expect(processExitsWith: .success) {
      let (inbox, condition) = (Inbox<Void>(), Locked(false))
      async let hasReceived = inbox.receives(1)
      async let holds = eventually { condition.withLock { $0 } }
      await wait(0.1)

      let hasReturned = await MainActor.run {
        returnsWithoutMainQueue {
          let hasReturned = onAnotherThread(for: 1, stopForHalfAMinute)
          #expect(hasReturned, "A stop should not end a wait for another thread.")
        }
      }
      #expect(hasReturned, "A stop should not end a wait that blocks the main queue.")

      // What has begun before the stop lasts longer than this.
      await wait(0.5)
      inbox.receive(())
      condition.withLock { $0 = true }
      #expect(await hasReceived, "A stop should not end a wait for a value.")
      #expect(await holds, "A stop should not end a wait for a condition.")
    }
  }
}

/// Waits in vain.
private func wait(_ seconds: TimeInterval) async {
  _ = await Deadline.$current.withValue(Deadline(seconds: seconds)) { await Inbox<Void>().receives(1) }
}

/// Stops this process, as a debugger does, and lets it go on after half a minute.
private func stopForHalfAMinute() {
  let helper = Process()
  helper.executableURL = URL(filePath: "/bin/sh")
  helper.arguments = ["-c", "sleep 30; kill -CONT \(getpid())"]
  do {
    try helper.run()
    kill(getpid(), SIGSTOP)
  } catch {
    Issue.record(error, "Nothing could let this process go on, so it was not stopped.")
  }
  // Everything that has waited in the meantime sees now whether its time is up.
  usleep(100_000)
}
