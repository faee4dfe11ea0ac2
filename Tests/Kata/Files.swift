import Foundation

/// What the command reads from the file system.
enum Files {
  /// The files below a folder, as sorted paths from that folder. Empty if there is no such folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isIncluded: Whether to include a path.
  static func below(_ folder: String, where isIncluded: (String) -> Bool = { _ in true }) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter(isIncluded).sorted().filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) && !isFolder.boolValue
    }
  }

  /// The text of a file, without a byte order mark and with `\n` at the end of each line; `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    guard let text = FileManager.default.contents(atPath: path).map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
    return (text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text).replacing("\r\n", with: "\n")
  }

  /// The last thousand bytes of a file; empty if it cannot be read.
  static func end(_ path: String) -> String {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return "" }
    try? file.seek(toOffset: size - min(size, 1000))
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// Whether a path leads to a source file or a page that a learner can see. An editor's own files change on every key.
  static func isVisibleText(_ path: String) -> Bool {
    (path.hasSuffix(".swift") || path.hasSuffix(".md")) && !path.split(separator: "/").contains { $0.hasPrefix(".") }
  }

  /// The stamp of a file; `nil` if there is no such file.
  static func stamp(_ path: String) -> Stamp? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    let date = attributes[.modificationDate] as? Date
    return Stamp(modified: date?.timeIntervalSince1970 ?? 0, size: (attributes[.size] as? NSNumber)?.intValue ?? 0)
  }

  /// The stamps of all files below some folders.
  static func stamps(below folders: [String], where isIncluded: (String) -> Bool = { _ in true }) -> [String: Stamp] {
    let paths = folders.flatMap { folder in below(folder, where: isIncluded).map { "\(folder)/\($0)" } }
    return Dictionary(uniqueKeysWithValues: paths.map { ($0, stamp($0)) }).compactMapValues { $0 }
  }
}

/// Tells one version of a file from another: it changes with every save.
struct Stamp: Codable, Equatable {
  /// Seconds since 1970.
  var modified: Double
  /// In bytes.
  var size: Int
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  var formattedList: String {
    count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + (last ?? "")
  }
}
