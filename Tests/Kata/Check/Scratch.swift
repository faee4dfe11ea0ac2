import Foundation

/// A copy of the repository in which variants are tried. The work tree is only read.
///
/// The copy stores its builds from one check to the next, and only files that differ are written, so that builds stay short.
final class Scratch {
  /// Where the copy is.
  let folder: String
  private let kata: Kata
  private let files = FileManager.default
  private var clock: Double

  /// The folders that suites and solutions need.
  private static let parts = ["Exercises", "Solutions", "Tests/Lessons", "Tests/Support"]

  /// Runs suites against exercises.
  var exercises: SuiteRun { SuiteRun(root: folder, environment: kata.environment, folder: "\(folder)/..") }
  /// Runs suites against solutions.
  var proof: SuiteRun { SuiteRun(root: folder, package: "Tests", environment: kata.environment, folder: "\(folder)/..") }

  /// - Parameters:
  ///   - kata: Knows the work tree.
  ///   - worker: The number of the worker that the copy is for.
  init(kata: Kata, worker: Int) {
    self.kata = kata
    folder = "\(kata.folder)/check/worker\(worker)/package"
    let stamps = Files.stamps(below: Scratch.parts.map { [folder] in "\(folder)/\($0)" })
    clock = max(Date().timeIntervalSince1970, stamps.values.map(\.modified).max() ?? 0)
  }

  /// Makes the copy equal to the work tree.
  ///
  /// - Parameter lessons: The lessons to build, and nothing else.
  func sync(lessons: [Int]) throws {
    for part in Scratch.parts { try sync(part) }
    let end = """

      // kata check: the copy builds only what the check needs.
      let checked: [Int] = \(lessons)
      let composed = checked.flatMap { composedLessons[$0, default: []] }
      let needed =
        ["Given", "TestSupport"] + composed.map { "Solution\\($0)" }
        + checked.flatMap { ["Exercise\\($0)", "Lesson\\($0)", "Solution\\($0)", "Solution\\($0)Tests"] }
      package.targets.removeAll { !needed.contains($0.name) }

      """
    for manifest in ["Package.swift", "Tests/Package.swift"] {
      try write(data(kata.repository.path(manifest)) + Data(end.utf8), to: manifest)
    }
    for link in ["Tests/Given", "Tests/Solutions"]
    where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(link)")) == nil {
      try files.copyItem(atPath: kata.repository.path(link), toPath: "\(folder)/\(link)")
    }
  }

  /// Makes one folder of the copy equal to that of the work tree.
  func sync(_ part: String) throws {
    let wanted = Files.below(kata.repository.path(part))
    for name in Set(Files.below("\(folder)/\(part)")).subtracting(wanted) {
      try files.removeItem(atPath: "\(folder)/\(part)/\(name)")
    }
    for name in wanted { try write(data(kata.repository.path("\(part)/\(name)")), to: "\(part)/\(name)") }
  }

  /// Takes a variant over into the copy.
  ///
  /// - Returns: What went wrong; `nil` if nothing did.
  func apply(_ variant: Variant) throws -> String? {
    switch variant.kind {
    case .impostor:
      // The copy is in a git work tree, and `git apply` skips what is outside of its current folder there. So git must not find
      // the work tree, neither by searching nor by what a hook has put into the environment.
      let environment = kata.environment.merging(["GIT_DIR": "/dev/null", "LC_ALL": "C"]) { $1 }
      let git = try Child.run(
        ["git", "apply", variant.path], environment: environment, folder: folder, output: "\(folder)/../apply.txt")
      guard git.isFine else {
        return "\(variant.name) no longer applies to the solution: \(git.text.prefix { $0 != "\n" })"
      }
      for file in variant.files where files.fileExists(atPath: "\(folder)/\(file)") { try date(file) }
    case .alternative:
      for file in variant.files {
        let folder = Variant.folders(ofLesson: variant.lesson).first(where: file.hasPrefix) ?? ""
        try write(data("\(variant.path)/\(file.dropFirst(folder.count))"), to: file)
      }
      // After a class has become a struct, an incremental build can leave out files of the suite that depend on its size.
      try touch("Tests/Lessons/Lesson\(variant.lesson)")
    }
    return nil
  }

  /// Restores the solution, and our tests.
  func restore(_ variant: Variant) throws {
    for folder in Variant.folders(ofLesson: variant.lesson) { try sync(folder) }
    if variant.kind == .alternative { try touch("Tests/Lessons/Lesson\(variant.lesson)") }
  }

  /// Dates the files below a folder, so that the compiler reads them again.
  func touch(_ part: String) throws {
    for name in Files.below("\(folder)/\(part)") { try date("\(part)/\(name)") }
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func write(_ data: Data, to path: String) throws {
    let url = URL(fileURLWithPath: "\(folder)/\(path)")
    guard files.contents(atPath: url.path) != data else { return }
    try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    try date(path)
  }

  /// Dates a file to a whole second that no file has had before.
  ///
  /// The compiler skips a file whose date is in the same second as at its last build. Without this, a patch that follows quickly
  /// on another would be judged by the build of the other.
  private func date(_ path: String) throws {
    clock = clock.rounded(.down) + 1
    try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: clock)], ofItemAtPath: "\(folder)/\(path)")
  }
}
