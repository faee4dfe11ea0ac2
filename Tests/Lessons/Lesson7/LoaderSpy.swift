import Given
import TestSupport

import class Given.Locked

@testable import Exercise7

/// What can be loaded: one kind for each protocol.
enum Kind: String, CaseIterable, Sendable {
  case profile, feed, image
  case userData = "user data"
}

/// A loader of every kind. The test decides when, where, and how each load ends.
final class LoaderSpy: ProfileService, UserLoader, FeedLoader, FeedImageDataLoader {
  /// A text, which is delivered as a profile, as user data, as a feed with an image for each word, or as an image; or an error.
  typealias Ending = Result<String, any Error>

  /// The task of a load. It retains its completion for as long as it lives, as some tasks do.
  private final class CancelableTask: FeedImageDataLoaderTask {
    let completion: (Ending) -> Void
    private let onCancel: () -> Void

    init(completion: @escaping (Ending) -> Void, onCancel: @escaping () -> Void) {
      (self.completion, self.onCancel) = (completion, onCancel)
    }

    func cancel() { onCancel() }
  }

  /// The calls, with the last component of an image's URL, or with the kind of anything else.
  let calls = Calls<String, Ending>(to: "the loader")
  /// Called once, at the end of the next call, before it returns.
  var onCall: () -> Void = {}
  /// Tracks the tasks.
  var leaks: LeakTracker?
  private let canceledLoads = Locked<[Int]>([])

  /// The indexes of the loads that have been canceled before they ended, oldest first. They never end.
  var canceled: [Int] { canceledLoads.withLock { $0 } }

  func getProfile(completion: @escaping (Result<Profile, any Error>) -> Void) {
    begin(Kind.profile.rawValue) { completion($0.map(Self.profile)) }
  }

  func fetchUserData(completion: @escaping (String) -> Void) {
    begin(Kind.userData.rawValue) { if case .success(let text) = $0 { completion(text) } }
  }

  func load(completion: @escaping (Result<[FeedImage], any Error>) -> Void) {
    begin(Kind.feed.rawValue) { completion($0.map(Self.feed)) }
  }

  func loadImageData(
    from url: URL, completion: @escaping (Result<Data, any Error>) -> Void
  ) -> any FeedImageDataLoaderTask {
    begin(url.lastPathComponent) { completion($0.map { Data($0.utf8) }) }
  }

  @discardableResult
  private func begin(_ name: String, completion: @escaping (Ending) -> Void) -> any FeedImageDataLoaderTask {
    let (index, open) = (calls.count, Locked<CancelableTask?>(nil))
    let task = CancelableTask(completion: completion) { [canceledLoads] in
      if open.withLock({ $0.take() }) != nil { canceledLoads.withLock { $0.append(index) } }
    }
    open.withLock { $0 = task }
    leaks?.track(task, as: "the loader's task")
    calls.receive(name) { ending in open.withLock { $0.take() }?.completion(ending) }
    let onCall = onCall
    self.onCall = {}
    onCall()
    return task
  }

  static func profile(_ text: String) -> Profile { Profile(userName: text, address: "the address of \(text)") }

  static func feed(_ text: String) -> [FeedImage] {
    text.split(separator: " ").map { FeedImage(title: "\($0)", url: URL(string: "https://example.com/\($0).jpg")!) }
  }
}

/// The learner's decorators of a loader, one for each protocol.
struct Decorators {
  private var profiles: any ProfileService
  private var users: any UserLoader
  private var feeds: any FeedLoader
  private var images: any FeedImageDataLoader

  /// Decorates a loader.
  ///
  /// - Parameters:
  ///   - loader: The loader.
  ///   - layers: How many decorators there are around it, for each protocol.
  init(around loader: LoaderSpy, layers: Int = 1) {
    (profiles, users, feeds, images) = (loader, loader, loader, loader)
    for _ in 1...layers {
      profiles = MainQueueDispatchDecorator<any ProfileService>(decoratee: profiles)
      users = MainQueueDispatchDecorator<any UserLoader>(decoratee: users)
      feeds = MainQueueDispatchDecorator<any FeedLoader>(decoratee: feeds)
      images = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: images)
    }
  }

  /// Starts a load.
  ///
  /// - Parameters:
  ///   - kind: What to load.
  ///   - url: The URL of an image.
  ///   - completion: Receives the text that the loader has delivered, or the error in words.
  /// - Returns: The task of an image.
  @discardableResult
  func load(
    _ kind: Kind, from url: URL = FeedImage.cat.url, completion: @escaping (String) -> Void
  ) -> (any FeedImageDataLoaderTask)? {
    func inWords<Value>(_ words: @escaping (Value) -> String) -> (Result<Value, any Error>) -> Void {
      { completion($0.failure?.inWords ?? (try? $0.get()).map(words) ?? "") }
    }
    switch kind {
    case .profile: profiles.getProfile(completion: inWords { LoaderSpy.profile($0.userName) == $0 ? $0.userName : "\($0)" })
    case .userData: users.fetchUserData(completion: completion)
    case .feed:
      feeds.load(
        completion: inWords { feed in
          let titles = feed.map(\.title).joined(separator: " ")
          return LoaderSpy.feed(titles) == feed ? titles : "\(feed)"
        })
    case .image: return images.loadImageData(from: url, completion: inWords { String(decoding: $0, as: UTF8.self) })
    }
    return nil
  }
}

extension LoaderSpy.Ending {
  var inWords: String { failure?.inWords ?? (try? get()) ?? "" }
}

extension FeedImage {
  /// An image of a cat.
  static let cat = FeedImage(title: "A cat", url: URL(string: "https://example.com/cat.jpg")!)
  /// An image of a dog.
  static let dog = FeedImage(title: "A dog", url: URL(string: "https://example.com/dog.jpg")!)
}
