import Foundation

/// Reads what other processes write to a file or to a named pipe, line by line, while they write it.
final class LineReader {
  /// What follows the last line break: the beginning of a line that is still being written.
  private(set) var unfinished = Data()
  /// How many bytes have been read.
  private(set) var count = 0
  private let descriptor: Int32
  private var writer: Int32 = -1

  /// Opens a file. If there is none, nothing is ever read.
  init(file path: String) {
    descriptor = open(path, O_RDONLY | O_NONBLOCK)
  }

  /// Makes a named pipe and opens it.
  ///
  /// - Parameter path: The path of the pipe. Nothing may be there yet.
  /// - Throws: A ``Problem`` if the file system refuses.
  init(newPipe path: String) throws {
    guard mkfifo(path, 0o600) == 0 else {
      throw Problem("Could not create a pipe at \(path): \(String(cString: strerror(errno))).")
    }
    descriptor = open(path, O_RDONLY | O_NONBLOCK)
    // A pipe without a writer counts as ended, and waiting for data would return immediately. So this process is a writer, too.
    writer = open(path, O_WRONLY)
  }

  deinit {
    for descriptor in [descriptor, writer] where descriptor >= 0 { close(descriptor) }
  }

  /// Returns the lines that have been finished since the last call. Does not wait.
  func next() -> [Data] {
    var data = unfinished
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = read(descriptor, &buffer, buffer.count)
      guard length > 0 else { break }
      data.append(contentsOf: buffer[..<length])
      count += length
    }
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
    unfinished = lines.popLast() ?? Data()
    return lines.filter { !$0.isEmpty }
  }

  /// Waits until there is something to read.
  ///
  /// - Parameter milliseconds: The longest time to wait.
  func wait(atMost milliseconds: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, milliseconds)
  }
}
