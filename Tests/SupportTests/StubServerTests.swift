import Given
import TestSupport
import Testing

@Suite("StubServer")
struct StubServerTests {
  @Test("a hundred simultaneous servers each receive their own request completely")
  func servesInParallel() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          let server = StubServer()
          server.respond(to: "/echo", with: { .response(200, headers: ["X-Number": "\(number)"], body: $0.httpBody ?? Data()) })
          var request = URLRequest(url: server.url("/echo?n=\(number)"))
          request.httpMethod = "PUT"
          request.setValue("\(number)", forHTTPHeaderField: "X-Asked")
          request.httpBody = Data("body \(number)".utf8)

          let (data, response) = try await server.session.data(for: request)

          #expect(data == Data("body \(number)".utf8))
          #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Number") == "\(number)")
          #expect(server.requests.count == 1)
          #expect(server.requests.first?.url == request.url)
          #expect(server.requests.first?.httpMethod == "PUT")
          #expect(server.requests.first?.value(forHTTPHeaderField: "X-Asked") == "\(number)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("failures and responses that are not HTTP are delivered unchanged")
  func failures() async throws {
    let server = StubServer()
    server.respond(to: "/offline", with: .failure(.notConnectedToInternet))
    server.respond(to: "/file", with: .notHTTP)

    let error = await #expect(throws: URLError.self) {
      try await server.session.data(from: server.url("/offline"))
    }
    let (_, response) = try await server.session.data(from: server.url("/file"))

    #expect(error?.code == .notConnectedToInternet)
    #expect(!(response is HTTPURLResponse))
  }

  // Only a Mac can show that Apple's Foundation does what it documents. On Linux, the stub adds the response.
  @Test("a failure after the head comes with its response")
  func failureAfterTheHead() async {
    let (server, received) = (StubServer(), Inbox<(status: Int?, code: Int?)>())
    server.respond(to: "/broken", with: .failure(.networkConnectionLost, afterHead: 200))

    server.session.dataTask(with: URLRequest(url: server.url("/broken"))) { _, response, error in
      received.receive(((response as? HTTPURLResponse)?.statusCode, (error as? URLError)?.errorCode))
    }.resume()

    await received.receives(1)
    #expect(received.values.first?.status == 200)
    #expect(received.values.first?.code == URLError.networkConnectionLost.rawValue)
  }

  @Test("a request to another host fails without using the network")
  func strangers() async throws {
    let server = StubServer()

    await #expect(throws: URLError.self) {
      try await server.session.data(from: URL(string: "https://example.com/")!)
    }
    #expect(server.requests.isEmpty)
  }
}
