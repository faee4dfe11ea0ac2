/// What we decide about the pull requests of step 4, by number: merge it, or send it back and the rule that it breaks.
enum Verdicts {
  static let all: [Int: Verdict?] = [
    // `defer` runs when the completion has returned, so the stopwatch is read too late: the caller's time is part of the duration.
    1: .sendBack(.durationOfTheRequest),
    // The list is still read before `load` returns. On which queue a result is delivered, no rule says. The queue is concurrent, so
    // no completion waits for another, and the closure retains the completion, which is all that it needs.
    2: .merge,
    // The stopwatch is read before the completion is called, so the duration is right. When the record is added is left open.
    3: .merge,
    // While a request is in flight, the closure may be the last that retains the block list. There is no cycle to break: the client
    // releases the closure when the request ends.
    4: .sendBack(.lifetime),
  ]
}

/// A decision about a pull request.
enum Verdict {
  case merge
  case sendBack(Rule)
}

/// What a pull request can break.
enum Rule {
  // House rules
  case oneResult, unchanged, noCopies, noMixing, lifetime, noWaiting
  // Rules of steps 1 and 2
  case listedAccountsSendNothing, listBeforeDelivery, oneRecordForEachResult, durationOfTheRequest, nothingSecret
}
