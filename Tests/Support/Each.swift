import Testing

/// Goes through values that a rule should hold for, and stops at the first for which the test fails. The failure names the value.
///
/// - Parameters:
///   - name: What the values are, in words.
///   - values: The values.
///   - check: A closure that checks the rule for one value.
/// - Throws: The error that `check` throws.
public func each<Values: Sequence>(
  _ name: String, in values: Values, isolation: isolated (any Actor)? = #isolation,
  check: (Values.Element) async throws -> Void
) async rethrows {
  for value in values { try await naming([name: value]) { try await check(value) } }
}

/// Goes through all pairs of values from two sequences: see ``each(_:in:isolation:check:)``.
public func each<First: Sequence, Second: Sequence>(
  _ firstName: String, in first: First, _ secondName: String, in second: Second,
  isolation: isolated (any Actor)? = #isolation, check: (First.Element, Second.Element) async throws -> Void
) async rethrows {
  try await each(firstName, in: first) { one in
    try await each(secondName, in: second) { try await check(one, $0) }
  }
}

/// Checks a rule, unless the test has failed already. A failure names the values that the check is about.
///
/// - Parameters:
///   - values: The values, each with its name in words.
///   - check: A closure that checks the rule.
/// - Throws: The error that `check` throws.
public func naming(
  _ values: KeyValuePairs<String, Any>, isolation: isolated (any Actor)? = #isolation, check: () async throws -> Void
) async rethrows {
  guard Report.current?.hasBegun != true else { return }
  let named = values.map { "\($0.key) = \(String(describingForTest: $0.value))" }
  try await Report.$values.withValue(Report.values + named) { try await check() }
}
