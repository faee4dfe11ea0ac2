import Foundation

/// What the learner types.
struct Keyboard {
  enum Typed: Equatable {
    case line(String)
    /// The input has ended.
    case end
    /// Nothing, or not yet a whole line.
    case nothing
  }

  /// The next line, if one is typed within a fiftieth of a second.
  let read: () -> Typed

  init(read: @escaping () -> Typed) { self.read = read }

  /// Reads lines from a file or a terminal.
  init(_ input: FileHandle) {
    let lines = Lines(input)
    read = lines.next
  }

  private final class Lines {
    private let input: FileHandle
    private var bytes = Data()
    private var hasEnded = false

    init(_ input: FileHandle) { self.input = input }

    func next() -> Typed {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes = Data(bytes[(end + 1)...]) }
        return .line(String(decoding: bytes[..<end], as: UTF8.self))
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
}
