// The words of a suite. Whoever knows these can read and change any of them.
//
// Stories
//   Scenario                 a lesson's `World`: the objects under test, the spies around them, and a method for each event
//   event                    lets something happen to the objects under test, and compares what follows with what is expected
//   story                    a test that chooses the events, and lists what each of them leads to
//   impossible               ends an event that cannot happen at this point: in a told story, that is a mistake
//   RandomEvent              an event that happens at random, with arguments drawn from a `SeededRandom`
//   expectNoStoryGoesWrong   plays hundreds of random stories against a model of the page's rules
//   block                    `KATA_BLOCK=1` plays the second block of random stories in place of the first
//   each                     repeats a test for each of several values
//
// Spies
//   Calls, AsyncCalls        record calls, and keep them in progress until the test ends them: the core of `HTTPClientSpy` and others
//   Inbox                    collects what a callback delivers
//   StubServer               a back end behind a real `URLSession`
//   ManualClock              a clock that only the test advances
//
// Waiting, up to a deadline
//   receives                 for a number of calls or deliveries
//   eventually               for anything else; `settled` if a delay must not pass
//   returns                  for work on another queue to return
//   mainQueueDrained         for what the main queue has yet to run
//   Running                  for an async call that runs while the test continues
//
// Values
//   inWords                  a value, as a sentence for the learner names it
//   SampleError              the errors that stubs deliver
//
// Races (`Races.swift`), leaks (`Leaks.swift`), and the judge of a learner's own tests (`Judge.swift`) are used in a few steps only.
// What only one lesson needs is in that lesson's folder.
