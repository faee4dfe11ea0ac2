// swift-tools-version: 6.2
import PackageDescription

// What a learner builds: exercises, solutions, the suites that judge the exercises, and the `kata` command.
//
// With `KATA_PROOF` in the environment, the suites judge the solutions instead, and the tests of our own tools are built, too:
//
//     KATA_PROOF=1 swift test --scratch-path .build/proof
//
// One build cannot do both: two targets cannot share a folder. Nor should it: `swift test` builds every test target of its
// package, and a learner would wait twice as long for the first result. The scratch path keeps the two builds apart.

/// Whether to build what must pass on a fresh clone.
let proves = Context.environment["KATA_PROOF"] != nil

/// The lessons, and the exercises that follow them, which have names. To add one, add its folders, and its name here.
let names = (1...9).map(String.init) + ["Middleware", "Receipts"]

/// Where the compiler checks concurrency. Everywhere else, the code is as people have it at work: callbacks, GCD, and in Lesson 8
/// async functions in Swift 5 mode.
let inSwift6 = ["9", "Middleware"]

/// The lessons whose finished decorators a lesson composes.
let composed = ["6": ["3", "4", "5"]]

/// The lessons in which learners write tests, in YourTests.swift. Ours are beside that file, in the folder Reference, and take
/// its place.
let withYourTests = ["3", "Middleware", "Receipts"]

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
    .executableTarget(name: "kata", path: "Tests/Kata"),
  ]
)

for name in names {
  let (exercise, solution) = ("Exercise\(name)", "Solution\(name)")
  let folder = Int(name) == nil ? name : "Lesson\(name)"
  let parts = ["Given"] + composed[name, default: []].map { Target.Dependency.target(name: "Solution\($0)") }
  let settings: [SwiftSetting] = [.swiftLanguageMode(inSwift6.contains(name) ? .v6 : .v5)]
  // The alias makes the suite's `import ExerciseN` find SolutionN. SwiftPM allows unsafe flags in a root package, and this is
  // always one.
  let alias: [SwiftSetting] = proves ? [.unsafeFlags(["-module-alias", "\(exercise)=\(solution)"])] : []

  package.targets += [
    .target(name: solution, dependencies: parts, path: "Solutions/\(folder)", swiftSettings: settings),
    .testTarget(
      name: proves ? "\(solution)Tests" : folder,
      dependencies: [.target(name: proves ? solution : exercise), "Given", "TestSupport"],
      path: "Tests/Lessons/\(folder)", exclude: withYourTests.contains(name) ? [proves ? "YourTests.swift" : "Reference"] : [],
      swiftSettings: settings + alias),
  ]
  if !proves {
    package.targets.append(
      .target(name: exercise, dependencies: parts, path: "Exercises/\(folder)", swiftSettings: settings))
  }
}

if proves {
  // The settings of a new app in Xcode 26.
  let newApp: [SwiftSetting] = [
    .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
  package.targets += [
    .testTarget(name: "SupportTests", dependencies: ["Given", "TestSupport"]),
    .testTarget(name: "KataTests", dependencies: ["kata"], path: "Tests/KataTests"),
    // What pages, suites and source files say about each other.
    .testTarget(name: "PageTests", dependencies: ["kata"], path: "Tests/PageTests"),
    // The contract that learners copy, against right and wrong decorators. It is one file, which compiles in each mode.
    .testTarget(name: "ContractTests", dependencies: ["Given", "TestSupport"], path: "Tests/Contract", exclude: ["Modes"]),
    .testTarget(
      name: "ContractInSwift5Tests", path: "Tests/Contract/Modes/Swift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "ContractOnMainActorTests", path: "Tests/Contract/Modes/MainActor", swiftSettings: newApp),
  ]
}

// Xcode and the language server do not need the index of Foundation and Testing, and making it takes seconds of a first build.
for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-index-ignore-system-modules"])]
}
