import Given

extension [String] {
  /// The sentences of a story that has gone wrong, numbered, and what was wrong after the last of them.
  ///
  /// - Parameters:
  ///   - expected: What was expected.
  ///   - observed: What has been observed.
  ///   - remark: A closure that returns a remark on the differences, if it has one.
  func asStory(expected: [String], observed: [String], _ remark: ([String]) -> String? = { _ in nil }) -> String {
    /// Adds how often an effect has been observed and how often it was expected, unless that is clear.
    func counted(_ effect: String) -> String {
      let (often, due) = (observed.count { $0 == effect }, expected.count { $0 == effect })
      if often + due == 1 || effect.contains("\n") { return effect }
      return "\(effect) (\(often) \(often == 1 ? "time" : "times") instead of \(due))"
    }
    let missing = expected.without(observed).unique.map(counted)
    let surplus = observed.without(expected).unique.map { effect in
      // A completion that is called again may deliver something else than before.
      guard counted(effect) == effect, let receiver = effect.receiver, observed.count(of: receiver) > 1,
        observed.count(of: receiver) > expected.count(of: receiver)
      else { return counted(effect) }
      return "\(effect) (one result too many)"
    }
    // A trace is compared as a whole: most of its lines may be right.
    let areTraces = (missing + surplus).contains { $0.contains("\n") }
    let differences = [
      (areTraces ? "expected" : "expected, but missing", missing),
      (areTraces ? "observed" : "observed, but not expected", surplus),
    ]
    return
      (enumerated().map { "  \($0.offset + 1). \($0.element)" }
      + differences.filter { !$1.isEmpty }.map { "\($0): \($1.listed)" } + [remark(missing + surplus)].compactMap(\.self))
      .joined(separator: "\n")
  }

  /// The first elements, and the number of the others: an endless loop makes thousands.
  private var listed: String {
    prefix(8).joined(separator: "; ") + (count > 8 ? "; and \(count - 8) more" : "")
  }

  /// The elements without those that are equal to an earlier one.
  private var unique: [String] { indices.filter { firstIndex(of: self[$0]) == $0 }.map { self[$0] } }

  private func count(of receiver: String) -> Int { count { $0.hasPrefix(receiver) } }
}

extension String {
  /// What the effect begins with if it is a result: `/articles receives `.
  fileprivate var receiver: String? {
    guard !hasPrefix("the client "), let end = firstRange(of: " receives ")?.upperBound else { return nil }
    return String(self[..<end])
  }
}
