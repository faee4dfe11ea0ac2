/// What an exercise delivers where nothing has been written yet.
public struct Unfinished: Error, Equatable, Sendable {
  /// Which part is still to be written: `"Lesson 1, step 1: send the request"`.
  public let part: String

  public init(_ part: String) {
    self.part = part
  }
}

extension Unfinished: LocalizedError, CustomStringConvertible {
  public var description: String { "Unfinished: \(part)" }
  public var errorDescription: String? { description }
}
