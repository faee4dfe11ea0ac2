import Given

extension Profile {
  /// The profile of Ada Lovelace.
  public static let ada = Profile(userName: "Ada Lovelace", address: "12 St James's Square, London")
}

extension FeedImage {
  /// An image of a cat.
  public static let cat = FeedImage(title: "A cat", url: URL(string: "https://example.com/cat.jpg")!)
  /// An image of a dog.
  public static let dog = FeedImage(title: "A dog", url: URL(string: "https://example.com/dog.jpg")!)
}
