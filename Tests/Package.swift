// swift-tools-version: 6.2
import Foundation
import PackageDescription

// What must pass on a fresh clone: every suite against its solution, and the tests of our own tools.
//
// A target's path may not leave the folder of its package, so `Given` and `Solutions` in this folder are links.

for link in ["Given", "Solutions"] where !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(link)/.") {
  let message =
    "Tests/\(link) is not a symbolic link here: your tool for git or for zip files has replaced it. With git, run "
    + "`git config core.symlinks true` and `git checkout Tests`. Only this package needs the link; the lessons work without it."
  FileHandle.standardError.write(Data(message.utf8))
  exit(1)
}

/// The number of lessons, as in ../Package.swift.
let lessonCount = 9

/// The lessons whose finished decorators a lesson composes, as in ../Package.swift.
let composedLessons = [6: [3, 4, 5]]

let package = Package(
  name: "decorator-kata-proof",
  platforms: [.macOS(.v15)],
  dependencies: [],
  targets: [
    .target(name: "Given", path: "Given"),
    .target(
      name: "TestSupport", dependencies: ["Given"], path: "Support",
      // As in ../Package.swift.
      linkerSettings: [.unsafeFlags(["-use-ld=lld", "-Xlinker", "--no-gc-sections"], .when(platforms: [.linux]))]),
    .testTarget(name: "SupportTests", dependencies: ["Given", "TestSupport"], path: "SupportTests"),
    .executableTarget(name: "kata", path: "Kata"),
    .testTarget(name: "KataTests", dependencies: ["kata"], path: "KataTests"),
    // The code that Lesson 9 shows about default isolation, as a package builds it, and as a new app in Xcode 26 does.
    .target(name: "NonisolatedByDefault", path: "Isolation/NonisolatedByDefault"),
    .target(
      name: "MainActorByDefault", path: "Isolation/MainActorByDefault",
      swiftSettings: [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    .testTarget(
      name: "IsolationTests", dependencies: ["NonisolatedByDefault", "MainActorByDefault", "Given"], path: "Isolation/Tests"),
  ]
)

for number in 1...lessonCount {
  let composed = composedLessons[number, default: []].map { Target.Dependency.target(name: "Solution\($0)") }
  let (exercise, solution) = ("Exercise\(number)", "Solution\(number)")
  let settings: [SwiftSetting] = [.swiftLanguageMode(number < 9 ? .v5 : .v6)]

  package.targets += [
    .target(name: solution, dependencies: ["Given"] + composed, path: "Solutions/Lesson\(number)", swiftSettings: settings),
    // The alias makes the suite's `import ExerciseN` find SolutionN. SwiftPM allows unsafe flags in a root package, and
    // this is always one.
    .testTarget(
      name: "\(solution)Tests", dependencies: [.target(name: solution), "Given", "TestSupport"],
      // Where learners write tests, ours take the place of theirs.
      path: "Lessons/Lesson\(number)", exclude: number == 3 ? ["Step4YourTests.swift"] : [],
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "\(exercise)=\(solution)"])]),
  ]
}

// As in ../Package.swift.
for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-index-ignore-system-modules"])]
}
