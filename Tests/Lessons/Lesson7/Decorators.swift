import Given
import TestSupport

@testable import Exercise7

/// The learner's decorators, one for each protocol.
struct Decorators {
  private let profiles: any ProfileService
  private let users: any UserLoader
  private let feeds: any FeedLoader
  private let images: any FeedImageDataLoader

  init(around loaders: Loaders) {
    profiles = MainQueueDispatchDecorator<any ProfileService>(decoratee: loaders)
    users = MainQueueDispatchDecorator<any UserLoader>(decoratee: loaders)
    feeds = MainQueueDispatchDecorator<any FeedLoader>(decoratee: loaders)
    images = MainQueueDispatchDecorator<any FeedImageDataLoader>(decoratee: loaders)
  }

  func track(with leaks: LeakTracker) {
    for decorator in [profiles as AnyObject, users as AnyObject, feeds as AnyObject, images as AnyObject] {
      leaks.track(decorator)
    }
  }

  /// Starts a load.
  ///
  /// - Parameters:
  ///   - kind: What to load.
  ///   - url: The URL of an image.
  ///   - deliver: Receives the result, in words.
  /// - Returns: The task of an image load.
  func load(
    _ kind: Kind, _ url: URL = FeedImage.cat.url, deliver: @escaping (String) -> Void
  ) -> (any FeedImageDataLoaderTask)? {
    func deliverInWords<Value>(_ words: @escaping (Value) -> String) -> (Result<Value, any Error>) -> Void {
      { result in
        switch result {
        case .success(let value): deliver(words(value).isEmpty ? "an empty value" : words(value))
        case .failure(let error): deliver(error.inWords)
        }
      }
    }
    switch kind {
    case .profile: profiles.getProfile(completion: deliverInWords { $0.userName == $0.address ? $0.userName : "\($0)" })
    case .userData: users.fetchUserData { deliverInWords { $0 }(.success($0)) }
    case .feed:
      feeds.load(completion: deliverInWords { $0.isEmpty || $0.dropFirst() == [.dog] ? $0.first?.title ?? "" : "\($0)" })
    case .image: return images.loadImageData(from: url, completion: deliverInWords { String(decoding: $0, as: UTF8.self) })
    }
    return nil
  }
}
