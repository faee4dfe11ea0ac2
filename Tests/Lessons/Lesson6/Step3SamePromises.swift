import Given
import TestSupport
import Testing

@testable import Exercise6

// The files Step3Promises1Send.swift to Step3Promises3Block.swift are copies of the suite of Lesson 1.
// They extend this suite. The `Scene` of this lesson makes a composed client where that of Lesson 1 makes a manager.
typealias Sending = Step3SamePromises
typealias Authorizing = Step3SamePromises
typealias Blocking = Step3SamePromises

@Suite("Step 3: keep Lesson 1's promises", .oneAtATime)
struct Step3SamePromises {
  @Test("the refresh request passes through none of the layers")
  func refreshesPastTheDecorators() async {
    await each("environment", in: [HTTPClientFactory.Environment.debug, .production]) { environment in
      await traces(.expired, "The refresh should not pass through any layer. Check which client sends it.") {
        let isLogged = ClientKind(environment: environment).isLogging
        await $0.load(
          with: $0.makeClient(for: environment),
          leadsTo: ["block list: blocked?", "store: credentials?", "server: a refresh with refresh-1 starts", "store: new-token"]
            + (isLogged ? ["stopwatch: time?"] : []) + ["server: GET /articles is sent with new-token"]
            + (isLogged ? ["stopwatch: time?", "log: GET /articles 200, 0.0 seconds"] : []) + ["caller: 200"])
      }
    }
  }
}
