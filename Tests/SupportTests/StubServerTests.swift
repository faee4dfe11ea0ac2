import Given
import TestSupport
import Testing

@Suite("StubServer")
struct StubServerTests {
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
