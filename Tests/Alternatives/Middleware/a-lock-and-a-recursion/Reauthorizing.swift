import Given

func reauthorizing(with credentials: @escaping @Sendable (_ rejectedToken: String) async throws -> Credentials) -> Middleware {
  { request, next in
    var request = request
    let mayRepeat = request.httpBodyStream == nil
    for _ in 0..<1 {
      let response = try await next(request)
      let words = request.value(forHTTPHeaderField: "Authorization")?.split(separator: " ") ?? []
      guard response.head.statusCode == 401, mayRepeat, words.count == 2, words[0].lowercased() == "bearer" else {
        return response
      }
      let new = try await credentials(String(words[1]))
      request.setValue("Bearer " + new.accessToken, forHTTPHeaderField: "Authorization")
    }
    return try await next(request)
  }
}
