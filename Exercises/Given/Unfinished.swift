/// The error that an exercise delivers until you have written its code.
public struct Unfinished: Error, Equatable, Sendable {
  /// The unfinished part, for example `"Lesson 1, step 1: send the request"`.
  public let part: String

  /// Creates the error for a part of an exercise.
  public init(_ part: String) {
    self.part = part
  }
}

extension Unfinished: LocalizedError, CustomStringConvertible {
  public var description: String { "Unfinished: \(part)" }
  public var errorDescription: String? { description }
}
