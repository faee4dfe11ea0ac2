/// The back end's response to a request for the articles.
public enum Articles {
  /// Reads the titles from a response.
  ///
  /// - Parameters:
  ///   - data: The body of the response: a JSON array of strings.
  ///   - response: The response. Only a response with status 200 contains articles.
  /// - Returns: The titles in display order.
  /// - Throws: ``Unreadable`` for any other response.
  public static func titles(from data: Data, _ response: HTTPURLResponse) throws -> [String] {
    guard response.statusCode == 200, let titles = try? JSONDecoder().decode([String].self, from: data) else {
      throw Unreadable()
    }
    return titles
  }

  /// The response contains no articles.
  public struct Unreadable: LocalizedError, Equatable {
    public init() {}

    public var errorDescription: String? { "The articles cannot be shown right now." }
  }
}
