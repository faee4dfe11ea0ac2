import TestSupport
import Testing

// The suite of Lesson 1, without a 401: its files are copies, and extend this suite. The `World` of this lesson makes a client with
// the factory, where that of Lesson 1 makes a manager.
typealias Sending = Step0Promises
typealias Authorizing = Step0Promises
typealias Blocking = Step0Promises

@Suite("unchanged: the promises of Lesson 1", .oneAtATime)
struct Step0Promises {}
