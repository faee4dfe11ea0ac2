import Foundation

/// Follows a file that another process is writing, line by line.
struct LineReader {
  private let path: String
  private var offset: UInt64 = 0
  private var rest = Data()

  /// - Parameter path: The file. It need not exist yet.
  init(path: String) {
    self.path = path
  }

  /// The lines that have been finished since the last call. What stands behind the last line break is kept for later.
  mutating func next() -> [Data] {
    guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: offset)) != nil, let new = try? handle.readToEnd() else { return [] }
    offset += UInt64(new.count)
    var lines = (rest + new).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
    rest = lines.popLast() ?? Data()
    return lines.filter { !$0.isEmpty }
  }
}
