import Foundation

/// A copy of the repository to try variants in. The work tree is only read.
///
/// It keeps its builds from one check to the next, and only files that differ are written, so that builds stay short.
final class Scratch {
  /// Where the copy is.
  let folder: String
  private let repository: Repository
  private let environment: [String: String]
  private let files = FileManager.default
  private var clock: Double

  /// The folders that suites and solutions need.
  private static let parts = ["Exercises", "Solutions", "Tests/Lessons", "Tests/Support"]
  /// The links in Tests, and where they lead.
  private static let links = ["Tests/Given", "Tests/Solutions"]

  /// Runs suites against exercises.
  var exercises: SuiteRun { SuiteRun(root: folder, environment: environment, folder: "\(folder)/..") }
  /// Runs suites against solutions.
  var proof: SuiteRun { SuiteRun(root: folder, package: "Tests", environment: environment, folder: "\(folder)/..") }

  /// The end of a manifest that builds only some test targets, and what they depend on.
  private static func manifestEnd(testTargets: [String]) -> String {
    """

    // kata check: the copy builds only what the check needs.
    var needed: Set<String> = \(testTargets)
    for target in package.targets.reversed() where needed.contains(target.name) {
      for dependency in target.dependencies {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): needed.insert(name)
        default: break
        }
      }
    }
    package.targets.removeAll { !needed.contains($0.name) }

    """
  }

  /// - Parameters:
  ///   - kata: Knows the work tree.
  ///   - worker: The number of the worker that the copy is for.
  convenience init(kata: Kata, worker: Int) {
    self.init(
      repository: kata.repository, folder: "\(kata.folder)/check/worker\(worker)/package", environment: kata.environment)
  }

  init(repository: Repository, folder: String, environment: [String: String]) {
    self.repository = repository
    self.folder = folder
    self.environment = environment
    let dates = Scratch.parts.flatMap { Files.below("\(folder)/\($0)") }.compactMap { Files.stamp($0)?.modified }
    clock = max(Date().timeIntervalSince1970, dates.max() ?? 0)
  }

  /// Makes the copy equal to the work tree.
  ///
  /// - Parameter lessons: The lessons to build, and nothing else.
  func sync(lessons: [Int]) throws {
    for part in Scratch.parts { try sync(part) }
    try syncManifest("Package.swift", testTargets: lessons.map { "Lesson\($0)" })
    try syncManifest("Tests/Package.swift", testTargets: lessons.map { "Solution\($0)Tests" })
    for link in Scratch.links { try syncLink(link) }
  }

  private func syncManifest(_ path: String, testTargets: [String]) throws {
    let manifest = try Data(contentsOf: URL(fileURLWithPath: repository.path(path)))
    try write(manifest + Data(Scratch.manifestEnd(testTargets: testTargets).utf8), to: path)
  }

  private func syncLink(_ link: String) throws {
    guard let target = try? files.destinationOfSymbolicLink(atPath: repository.path(link)) else {
      throw Problem(
        "\(link) should be a symbolic link, and Tests/Package.swift cannot be built without it. "
          + "`git restore \(link)` brings it back.")
    }
    guard (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(link)")) != target else { return }
    try? files.removeItem(atPath: "\(folder)/\(link)")
    try files.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
  }

  /// Makes one folder of the copy equal to that of the work tree.
  func sync(_ part: String) throws {
    let source = repository.path(part)
    let wanted = Set(Files.below(source).map { String($0.dropFirst(source.count + 1)) })
    for path in Files.below("\(folder)/\(part)")
    where !wanted.contains(String(path.dropFirst("\(folder)/\(part)/".count))) {
      try files.removeItem(atPath: path)
    }
    for name in wanted {
      try write(Data(contentsOf: URL(fileURLWithPath: "\(source)/\(name)")), to: "\(part)/\(name)")
    }
  }

  /// Gives the exercises a new date, so that the compiler reads them again and repeats its warnings.
  func touchExercises(ofLessons lessons: [Int]) throws {
    for lesson in lessons { try touch(Files.below("\(folder)/Exercises/Lesson\(lesson)")) }
  }

  /// Takes a variant over into the copy.
  ///
  /// - Returns: What went wrong; `nil` if every file has changed as it should.
  func apply(_ variant: Variant) throws -> String? {
    let before = contents(variant.files)
    switch variant.kind {
    case .impostor:
      if let reason = try applyPatch(variant.path) {
        return "\(variant.name) does not apply to the solution any more: \(reason)"
      }
    case .alternative:
      for file in variant.files {
        let source = variant.path + file.dropFirst("Solutions/Lesson\(variant.lesson)".count)
        try write(Data(contentsOf: URL(fileURLWithPath: source)), to: file)
      }
      // After a class has become a struct, an incremental build can leave out files of the suite that depend on its size.
      try touch(Files.below("\(folder)/Tests/Lessons/Lesson\(variant.lesson)"))
    }
    let after = contents(variant.files)
    try touch(after.keys.map { "\(folder)/\($0)" })
    let untouched = variant.files.filter { before[$0] == after[$0] }
    return untouched.isEmpty ? nil : "\(variant.name) changes nothing in \(untouched.formattedList)."
  }

  /// Takes a variant back.
  func restore(_ variant: Variant) throws {
    try sync("Solutions/Lesson\(variant.lesson)")
    if variant.kind == .alternative { try touch(Files.below("\(folder)/Tests/Lessons/Lesson\(variant.lesson)")) }
  }

  /// - Returns: Git's reason if the patch does not apply.
  private func applyPatch(_ path: String) throws -> String? {
    let output = "\(folder)/../apply.txt"
    // The copy is inside a git work tree, and `git apply` skips what is outside of the folder that it is in there. So git must
    // not find the work tree, neither by searching nor by what a hook has put into the environment.
    var environment = environment.filter { !$0.key.hasPrefix("GIT_") }
    environment["GIT_CEILING_DIRECTORIES"] =
      URL(fileURLWithPath: folder).resolvingSymlinksInPath().deletingLastPathComponent().path
    environment["LC_ALL"] = "C"
    let child = try Child(["git", "-C", folder, "apply", path], environment: environment, output: output)
    if try child.wait() == .exit(0) { return nil }
    return Files.text(output)?.split(separator: "\n").first.map(String.init) ?? "git does not say why"
  }

  private func contents(_ paths: [String]) -> [String: Data] {
    var result: [String: Data] = [:]
    for path in paths { result[path] = files.contents(atPath: "\(folder)/\(path)") }
    return result
  }

  private func write(_ data: Data, to path: String) throws {
    let url = URL(fileURLWithPath: "\(folder)/\(path)")
    guard files.contents(atPath: url.path) != data else { return }
    try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    try touch([url.path])
  }

  /// Dates files to a whole second that none of them has had before.
  ///
  /// The compiler leaves out a file whose date is in the same second as it was at the last build, so that a patch that comes
  /// quickly after another would be judged by the build of that one.
  private func touch(_ paths: [String]) throws {
    clock = clock.rounded(.down) + 1
    for path in paths {
      try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: clock)], ofItemAtPath: path)
    }
  }
}
