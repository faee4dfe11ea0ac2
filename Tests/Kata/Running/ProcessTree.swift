import Foundation

/// Who has started whom.
enum ProcessTree {
  /// The processes that a process has started, and those that they have started, and so on.
  static func descendants(of pid: pid_t) -> [pid_t] {
    let children = Dictionary(grouping: pairs(), by: \.parent)
    var found: [pid_t] = []
    var open = [pid]
    while let next = open.popLast() {
      let own = (children[next] ?? []).map(\.pid).filter { !found.contains($0) }
      found += own
      open += own
    }
    return found
  }

  #if os(Linux)
    /// From /proc, since small systems have no `ps`.
    private static func pairs() -> [(pid: pid_t, parent: pid_t)] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { name in
        guard let pid = pid_t(name), let text = Files.text("/proc/\(name)/stat") else { return nil }
        // The name in parentheses may hold spaces; the state and the parent follow it.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 2 ? pid_t(fields[2]).map { (pid, $0) } : nil
      }
    }
  #else
    private static func pairs() -> [(pid: pid_t, parent: pid_t)] {
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/ps")
      process.arguments = ["-A", "-o", "pid=,ppid="]
      process.standardOutput = pipe
      guard (try? process.run()) != nil else { return [] }
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      return text.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ").compactMap { pid_t($0) }
        return fields.count == 2 ? (fields[0], fields[1]) : nil
      }
    }
  #endif
}
