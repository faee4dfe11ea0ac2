/// What you decide about the pull requests of step 4, by number: `.merge`, or `.sendBack` and the rule that it breaks.
enum Verdicts {
  static let all: [Int: Verdict?] = [
    // Step 4: replace each `nil` with your verdict, such as `.sendBack(.oneResult)`.
    1: nil,
    2: nil,
    3: nil,
    4: nil,
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
