// swift-tools-version: 6.2
import PackageDescription

// What a learner builds: exercises, solutions, the suites that judge the exercises, and the `kata` command.
//
// The suites that judge the solutions, and the tests of `kata`, are in a package of their own, Tests/Package.swift.
// `swift test` builds every test target of its package, and a learner would wait twice as long for the first result.

/// The number of lessons. To add one, add its folders, and raise this number here and in Tests/Package.swift.
let lessonCount = 9

/// The lessons whose finished decorators a lesson composes.
let composedLessons = [6: [3, 4, 5]]

let package = Package(
  name: "decorator-kata",
  platforms: [.macOS(.v15)],
  dependencies: [],
  targets: [
    .target(name: "Given", path: "Exercises/Given"),
    .target(
      name: "TestSupport", dependencies: ["Given"], path: "Tests/Support",
      linkerSettings: [
        // On Linux, lld links a test bundle in less than half of gold's time. It must not drop sections that look unused:
        // Swift finds its metadata through them.
        .unsafeFlags(["-use-ld=lld", "-Xlinker", "--no-gc-sections"], .when(platforms: [.linux]))
      ]),
    // One suite that is green as shipped, for `kata doctor`. Tests/Package.swift builds the others.
    .testTarget(name: "SupportTests", dependencies: ["Given", "TestSupport"], path: "Tests/SupportTests/Inbox"),
    .executableTarget(name: "kata", path: "Tests/Kata", swiftSettings: [.unsafeFlags(["-gnone"])]),
  ]
)

for number in 1...lessonCount {
  let composed = composedLessons[number, default: []].map { Target.Dependency.target(name: "Solution\($0)") }
  // Lessons 1 to 8 hold callback and GCD code as people have it at work. In Lesson 9, the compiler checks concurrency.
  let settings: [SwiftSetting] = [.swiftLanguageMode(number < 9 ? .v5 : .v6)]

  // Debug information is a tenth of a first build. With line tables alone, breakpoints in suites still work; the debugger shows
  // all variables in exercises and solutions.
  let lines: [SwiftSetting] = [.unsafeFlags(["-gline-tables-only"])]

  package.targets += [
    .target(
      name: "Exercise\(number)", dependencies: ["Given"] + composed, path: "Exercises/Lesson\(number)",
      swiftSettings: settings),
    .target(
      name: "Solution\(number)", dependencies: ["Given"] + composed, path: "Solutions/Lesson\(number)",
      swiftSettings: settings),
    .testTarget(
      name: "Lesson\(number)", dependencies: [.target(name: "Exercise\(number)"), "Given", "TestSupport"],
      // Where learners write tests, ours are beside them, for Tests/Package.swift.
      path: "Tests/Lessons/Lesson\(number)", exclude: number == 3 ? ["Reference"] : [], swiftSettings: settings + lines),
  ]
}

// Xcode and the language server do not need the index of Foundation and Testing, and making it takes seconds of a first build.
for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-index-ignore-system-modules"])]
}
