import Given
import TestSupport
import Testing

@testable import Exercise2

/// A `UserLoader` that stores the completions.
final class UserLoaderSpy: UserLoader {
  let calls: Calls<Void, String>

  /// - Parameter response: What a call gets before it returns; `nil` if the test completes it.
  init(responding response: (() -> String?)? = nil) {
    calls = Calls(to: "the loader", responding: response.map { response in { _ in response() } })
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    calls.receive((), completion)
  }
}

extension Label {
  /// What the label has shown after "loading".
  var results: [String] {
    Array(texts.drop { $0 == "loading" })
  }
}

extension ProfileViewController {
  var writesOffMainQueue: [String] {
    [userNameLabel, addressLabel, errorView].flatMap(\.writesOffMainQueue)
  }
}

// On the main queue, `main.sync` would end the process. So these functions first try on a background queue, while the main queue
// is busy, whether the code under test waits for the main queue.

/// Loads a screen's view on the main queue.
///
/// - Parameters:
///   - screen: The screen.
///   - sourceLocation: The source location of issues.
///   - another: A closure that makes another screen of this kind.
@MainActor
func loadView(
  of screen: ViewController, sourceLocation: SourceLocation = #_sourceLocation, another: @escaping () -> ViewController
) throws {
  let hasReturned = returnsWithoutMainQueue { another().loadViewIfNeeded() }
  try #require(
    hasReturned, "`viewDidLoad` waits for the main queue, on which it runs: a deadlock. Use `async`, not `sync`.",
    sourceLocation: sourceLocation)
  screen.loadViewIfNeeded()
}

/// Checks what the profile screen needs before a test can use it on the main queue: a result from another queue hops there.
@MainActor
func requireProfileScreenHops(sourceLocation: SourceLocation = #_sourceLocation) throws {
  for result in [Result<Profile, any Error>.success(.ada), .failure(SampleError.explained.error)] {
    let sut = ProfileViewController(service: ProfileServiceSpy(responding: { result }))
    try requireHop(to: sut.userNameLabel, of: sut, sourceLocation)
  }
}

/// Checks what the user screen needs before a test can use it on the main queue: a result from another queue hops there.
@MainActor
func requireUserScreenHops(sourceLocation: SourceLocation = #_sourceLocation) throws {
  let sut = UserViewController(loader: UserLoaderSpy(responding: { Profile.ada.userName }))
  try requireHop(to: sut.label, of: sut, sourceLocation)
}

@MainActor
private func requireHop(to label: Label, of screen: ViewController, _ sourceLocation: SourceLocation) throws {
  let hasReturned = returnsWithoutMainQueue { screen.loadViewIfNeeded() }
  try #require(
    hasReturned, "A completion waits for the main queue. On the main queue itself, that is a deadlock. Use `async`, not `sync`.",
    sourceLocation: sourceLocation)
  let isShownTooEarly = label.writesOffMainQueue.contains { $0.contains(Profile.ada.userName) }
  try #require(
    !isShownTooEarly, "A result from a background queue is shown on that queue. Show it on the main queue.",
    sourceLocation: sourceLocation)
}
