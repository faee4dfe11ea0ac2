/// Lives as long as the closure that captures it.
public final class Lifetime: Sendable {
  public init() {}
}
