/// How the back end answers when it is asked for the articles.
public enum Articles {
  /// Reads the titles of the articles out of an answer.
  ///
  /// - Parameters:
  ///   - data: The body of the answer: a JSON array of strings.
  ///   - response: Its head. Only status 200 brings articles.
  /// - Returns: The titles, in the order in which they are to be shown.
  /// - Throws: ``Unreadable`` for any other answer.
  public static func titles(from data: Data, _ response: HTTPURLResponse) throws -> [String] {
    guard response.statusCode == 200, let titles = try? JSONDecoder().decode([String].self, from: data) else {
      throw Unreadable()
    }
    return titles
  }

  /// The answer has no articles in it.
  public struct Unreadable: LocalizedError, Equatable {
    public init() {}

    public var errorDescription: String? { "The articles cannot be shown right now." }
  }
}
