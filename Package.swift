// swift-tools-version: 6.2
import PackageDescription

/// How many lessons there are. To add one, add its folders and raise this number.
let lessonCount = 9

/// Lessons 1 to 8 hold callback-and-GCD code as people have it at work; from Lesson 9 on the compiler checks concurrency.
func languageMode(ofLesson number: Int) -> SwiftSetting {
  .swiftLanguageMode(number < 9 ? .v5 : .v6)
}

let package = Package(
  name: "decorator-kata",
  platforms: [.macOS(.v15)],
  dependencies: [],
  targets: [
    .target(name: "Given", path: "Exercises/Given"),
    .target(name: "TestSupport", dependencies: ["Given"], path: "Tests/Support"),
    .testTarget(name: "SupportTests", dependencies: ["Given", "TestSupport"], path: "Tests/SupportTests"),
    .executableTarget(name: "kata", path: "Tests/Kata"),
    .testTarget(name: "KataTests", dependencies: ["kata"], path: "Tests/KataTests"),
  ]
)

/// The lessons whose finished decorators a lesson puts together.
let lessonsInside = [6: [3, 4, 5]]

for number in 1...lessonCount {
  let inside: [Target.Dependency] = lessonsInside[number, default: []].map { .target(name: "Solution\($0)") }
  let mode = languageMode(ofLesson: number)
  let (exercise, solution) = ("Exercise\(number)", "Solution\(number)")

  package.targets += [
    .target(
      name: exercise, dependencies: ["Given"] + inside, path: "Exercises/Lesson\(number)", swiftSettings: [mode]),
    .target(
      name: solution, dependencies: ["Given"] + inside, path: "Solutions/Lesson\(number)", swiftSettings: [mode]),
    .testTarget(
      name: "Lesson\(number)", dependencies: [.target(name: exercise), "Given", "TestSupport"],
      path: "Tests/Lessons/Lesson\(number)", swiftSettings: [mode]),
    // The same suite once more, against the solution: Tests/Solutions is a link to Tests/Lessons, and the alias lets the
    // suite's `import ExerciseN` find SolutionN. SwiftPM allows unsafe flags in a root package, and this is always one.
    .testTarget(
      name: "\(solution)Tests", dependencies: [.target(name: solution), "Given", "TestSupport"],
      path: "Tests/Solutions/Lesson\(number)",
      swiftSettings: [mode, .unsafeFlags(["-module-alias", "\(exercise)=\(solution)"])]),
  ]
}
