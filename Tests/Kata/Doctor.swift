import Foundation

extension Kata {
  /// `kata doctor`: whether a machine is ready for the workshop. It removes what it has built.
  func doctor() throws -> Int32 {
    let build = "\(folder)/doctor"
    try? FileManager.default.removeItem(atPath: build)
    try FileManager.default.createDirectory(atPath: build, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: build) }
    var isReady = true
    var briefs: [String] = []
    /// Shows what has been found out, and notes it for the line that is sent back.
    func add(_ title: String, _ text: String, brief: String, isFine: Bool = true) {
      isReady = isReady && isFine
      briefs.append(brief)
      terminal.show(terminal.wrap(text, (isFine ? "✔ " : "✘ ") + Terminal.fit(title, 13), isFine ? nil : .red))
    }

    let output = "\(build)/output.txt"
    try Child.run(["sh", "-c", "uname -sm; swift --version"], in: repository.root, environment: environment, output: output)
    let said = Repository.text(output) ?? ""
    let machine = String(said.prefix { $0 != "\n" })
    add("Machine", machine, brief: machine)
    // With an older version than the package needs, this command would not have been built.
    let version = "Swift \(said.firstMatch(of: /Swift version (\d+\.[\d.]+)/)?.1 ?? "?")"
    add("Toolchain", version, brief: version)
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: repository.root)
    let free = ((attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0) / 1_000_000_000
    add("Free disk", "\(free) GB" + (free < 2 ? ", but 2 GB is required." : ""), brief: "\(free) GB free", isFine: free >= 2)
    if environment["KATA_PROOF"] != nil {
      let text = "KATA_PROOF is set, so `swift test` would judge our solutions instead of your exercises. Run `unset KATA_PROOF`."
      add("Environment", text, brief: "KATA_PROOF is set", isFine: false)
    }

    terminal.show(
      terminal.wrap(
        "Building everything in an empty folder, as in a new clone. This takes about a minute, and longer on a busy machine."))
    let start = ContinuousClock.now
    let empty = try test("NoTestHasThisName", options: ["--scratch-path", build])
    let seconds = Int(start.duration(to: .now) / .seconds(1))
    if empty.ending == .finished {
      add("Cold build", "\(seconds) s", brief: "cold build \(seconds) s")
      // It is red until someone solves it.
      let run = try test(repository.lessons[0].filter, options: ["--scratch-path", build])
      let isFine = run.ending == .finished && !run.tests.isEmpty
      let text = run.tests.contains(where: \.hasFailed) ? "It is red, as on a fresh clone." : "It is green: you have solved it."
      add("First suite", isFine ? text : "It did not run to its end.", brief: "suite \(isFine ? "ok" : "failed")", isFine: isFine)
    } else {
      let board = Board(run: empty, lessons: [], current: repository.lessons[0], terminal: terminal)
      terminal.show(board.lines)
      add("Cold build", "It failed. If you have edited files here, try a fresh copy.", brief: "build failed", isFine: false)
    }
    let brief = ["kata doctor: " + (isReady ? "ready" : "not ready")] + briefs
    terminal.show(["", "If someone asked you to run this check, reply with this line:", brief.joined(separator: " · ")])
    return isReady ? 0 : 1
  }
}
