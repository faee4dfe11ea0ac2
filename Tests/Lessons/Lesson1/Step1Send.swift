import Given
import TestSupport
import Testing

// Other lessons keep the same promises, and compile this file again: with a `Scene` of their own, and with a suite of their
// own under this name.
extension Sending {
  @Test("one call sends one request")
  func sendsOnce() async throws {
    let scene = Scene()

    _ = try await scene.load()

    #expect(scene.server.paths == ["/articles"], "Each call of `load` sends its request to the server, and sends it once.")
    #expect(
      scene.server.requests.first?.value(forHTTPHeaderField: "Content-Type") == nil,
      "The request has no body and no such header: the headers belong to the caller.")
  }

  @Test("method, URL, headers and body arrive as they were given", arguments: ["GET", "POST", "PUT", "DELETE"])
  func sendsUntouched(method: String) async throws {
    let scene = Scene()
    var request = scene.request("/articles?page=2&order=new")
    request.httpMethod = method
    request.setValue("de-DE", forHTTPHeaderField: "Accept-Language")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = method == "GET" ? nil : Data(#"{"title": "Around"}"#.utf8)

    _ = try await scene.load(request)

    let sent = try #require(scene.server.requests.first, "The request never reached the server.")
    #expect(sent.httpMethod == method, "The method belongs to the caller: it must arrive as it was given.")
    #expect(sent.url == request.url, "The URL belongs to the caller, its query included.")
    for (field, value) in request.allHTTPHeaderFields ?? [:] {
      #expect(sent.value(forHTTPHeaderField: field) == value, "The header \(field) did not arrive as it was given.")
    }
    #expect(sent.httpBody == request.httpBody, "The body did not arrive as it was given.")
  }

  @Test("the server's data and response come back")
  func deliversAnswer() async throws {
    let scene = Scene()

    let (data, response) = try await scene.load().expectSuccess("The server answered with articles.")

    #expect(data == Data(#"["Around, not inside"]"#.utf8), "The completion wants the body exactly as the server sent it.")
    #expect(response.url == scene.request().url, "The completion wants the server's own response, not one made up.")
    #expect(response.statusCode == 200, "The completion wants the server's own response, with its status.")
    #expect(response.value(forHTTPHeaderField: "ETag") == "42", "The completion wants the response with its headers.")
  }

  @Test("an answer is an answer, whatever its status", arguments: [200, 204, 404, 500])
  func deliversEveryStatus(status: Int) async throws {
    let scene = Scene()
    let body = status == 204 ? Data() : Data("why".utf8)
    scene.server.answer("/articles", with: .response(status, body: body))

    let (data, response) = try await scene.load().expectSuccess(
      "The server answered with status \(status). What that means is for the caller to say: deliver the response.")

    #expect(response.statusCode == status, "The status has to come back as the server sent it.")
    #expect(data == body, "The body has to come back as the server sent it, whatever the status.")
    #expect(scene.server.paths.count == 1, "One call sends one request: trying again is somebody else's business.")
  }

  @Test("a transport error comes back as it is", arguments: [URLError.Code.notConnectedToInternet, .timedOut, .cancelled])
  func deliversTransportError(code: URLError.Code) async throws {
    let scene = Scene()
    scene.server.answer("/articles", with: .failure(code))

    let answer = try await scene.load()

    guard case .failure(let error) = answer else {
      Issue.record("The network failed, so there is no answer: deliver the session's error.")
      return
    }
    #expect(
      (error as? URLError)?.code == code,
      "The caller needs the network's own error, to say whether trying again will help. Delivered: \(error)")
    #expect(scene.server.paths.count == 1, "One call sends one request: trying again is somebody else's business.")
  }

  @Test("a response that is not HTTP is an error")
  func refusesOtherProtocols() async throws {
    let scene = Scene()
    scene.server.answer("/articles", with: .notHTTP)

    try await scene.load().expectFailure(
      HTTPClientError.notHTTP, "The answer has no status and no headers: deliver `HTTPClientError.notHTTP`.")
  }

  @Test("requests under way at the same time each get their own answer")
  func keepsAnswersApart() async throws {
    let scene = Scene()
    let sut = scene.makeSUT()
    let answers = Inbox<(number: Int, body: Data?)>()
    for number in 1...5 {
      scene.server.answer("/articles/\(number)", with: .response(200, body: Data("article \(number)".utf8)))
    }

    for number in 1...5 {
      sut.load(scene.request("/articles/\(number)")) { answers.receive((number, try? $0.get().0)) }
    }

    let allCame = await answers.receives(5)
    #expect(allCame, "Five requests are under way and only \(answers.values.count) were answered.")
    for (number, body) in answers.values {
      #expect(
        body == Data("article \(number)".utf8), "The completion of request \(number) wants the answer to request \(number).")
    }
  }
}
