import Foundation

/// Small questions to the file system.
enum Files {
  /// The paths of all files below a folder, in order; none when there is no such folder.
  static func below(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }

  /// The text of a file; `nil` when it cannot be read.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// When a file was last written, and how long it is: what changes with every save.
  static func stamp(_ path: String) -> Stamp? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    let date = attributes[.modificationDate] as? Date
    return Stamp(modified: date?.timeIntervalSince1970 ?? 0, size: (attributes[.size] as? NSNumber)?.intValue ?? 0)
  }

  /// The stamps of all files below some folders.
  static func stamps(below folders: [String]) -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for path in folders.flatMap(below) { stamps[path] = stamp(path) }
    return stamps
  }
}

/// Tells one version of a file from another.
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
