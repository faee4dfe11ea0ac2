import Given
import TestSupport

// Each suite has this file, as a link. A solution may have types of its own with these names, and without these lines, the suite
// would not compile beside them.

typealias Calls<Argument, Output> = TestSupport.Calls<Argument, Output>
typealias ClosureClient = TestSupport.ClosureClient
typealias HTTPResult = TestSupport.HTTPResult
typealias Inbox<Value: Sendable> = TestSupport.Inbox<Value>
typealias Locked<Value> = Given.Locked<Value>
