/// What you decide about the pull requests of step 5, by number: `.merge`, or `.sendBack` and the rule that it breaks.
enum Verdicts {
  static let all: [Int: Verdict] = [
    // Step 5: write one line for each of the six pull requests, such as `7: .sendBack(.oneResult),`.
    :
  ]
}

/// A decision about a pull request.
enum Verdict {
  case merge
  case sendBack(Rule)
}

/// What a pull request can break.
enum Rule {
  // House rules of Lesson 1
  case oneResult, unchanged, noCopies, noMixing, lifetime, noWaiting
  // Rules of steps 1 and 2
  case listedAccountsSendNothing, listBeforeDelivery, oneRecordForEachResult, durationOfTheRequest, nothingSecret
}
