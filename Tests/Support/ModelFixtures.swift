import Given

extension Profile {
  public static let ada = Profile(userName: "Ada Lovelace", address: "12 St James's Square, London")
}

extension FeedImage {
  public static let cat = FeedImage(title: "A cat", url: URL(string: "https://example.com/cat.jpg")!)
  public static let dog = FeedImage(title: "A dog", url: URL(string: "https://example.com/dog.jpg")!)
}
