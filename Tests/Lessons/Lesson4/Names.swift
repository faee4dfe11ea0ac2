// These copies have to be equal: Lesson1/Names.swift, Lesson2/Names.swift, Lesson4/Names.swift,
// Lesson5/Names.swift, Lesson6/Names.swift, Lesson7/Names.swift, Lesson8/Names.swift, Lesson9/Names.swift.

import Given
import TestSupport

// A solution may have types of its own with these ordinary names. Without these lines, the suite would not compile beside them.

typealias BackgroundQueue = TestSupport.BackgroundQueue
typealias BlockListSpy = TestSupport.BlockListSpy
typealias Calls<Argument, Output> = TestSupport.Calls<Argument, Output>
typealias ClosureClient = TestSupport.ClosureClient
typealias HTTPClientSpy = TestSupport.HTTPClientSpy
typealias HTTPResult = TestSupport.HTTPResult
typealias Inbox<Value: Sendable> = TestSupport.Inbox<Value>
typealias Locked<Value> = Given.Locked<Value>
typealias ManualClock = TestSupport.ManualClock
typealias Response = Given.Response
typealias Running<Value: Sendable> = TestSupport.Running<Value>
typealias Scene<World: StoryWorld> = TestSupport.Scene<World>
typealias Story = TestSupport.Story
typealias StubServer = TestSupport.StubServer
typealias Trouble = TestSupport.Trouble
