import Foundation

/// Lines that the learner types.
final class Keyboard {
  /// What has been typed.
  enum Typed: Equatable {
    case line(String)
    /// The input has ended.
    case end
    /// Nothing, or not yet a whole line.
    case nothing
  }

  private let input: FileHandle
  private var bytes = Data()
  private var hasEnded = false

  init(_ input: FileHandle) { self.input = input }

  /// The next line, if one is typed within a fiftieth of a second.
  func read() -> Typed {
    if let line = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      defer { bytes = Data(bytes[(line + 1)...]) }
      return .line(String(decoding: bytes[..<line], as: UTF8.self))
    }
    if hasEnded { return .end }
    var request = pollfd(fd: input.fileDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&request, 1, 20) > 0 {
      let more = input.availableData
      if more.isEmpty { hasEnded = true } else { bytes.append(more) }
    }
    return .nothing
  }
}
