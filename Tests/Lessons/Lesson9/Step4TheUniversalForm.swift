import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 4: the universal form", .patientOnce)
struct Step4TheUniversalForm {
  @Test("the first of the list gets the request first, and sees the answer last", arguments: 1...4)
  func keepsTheOrder(count: Int) async throws {
    let journal = Locked<[String]>([])
    let names = (1...count).map { "\($0)" }
    let sut = composed(names.map { writing($0, into: journal) }) { request in
      journal.withLock { $0.append("client") }
      return answer()
    }

    _ = try await sut(.named("articles"))

    let expected: [String] = names.map { "in \($0)" } + ["client"] + names.reversed().map { "out \($0)" }
    #expect(
      journal.withLock { $0 } == expected,
      "The list reads from the outside in. In order in, the client once, and out in the opposite order.")
  }

  @Test("composing a list is the same as nesting by hand")
  func equalsNesting() async throws {
    let (list, nest) = (Locked<[String]>([]), Locked<[String]>([]))
    let client: Next = { request in answer(request.value(forHTTPHeaderField: "trace") ?? "") }
    func layers(_ journal: Locked<[String]>) -> [Middleware] {
      ["a", "b", "c"].map { name in
        { request, next in
          var request = request
          request.setValue((request.value(forHTTPHeaderField: "trace") ?? "") + name, forHTTPHeaderField: "trace")
          journal.withLock { $0.append(name) }
          let (data, head) = try await next(request)
          return (data + Data(name.utf8), head)
        }
      }
    }

    let composedAnswer = try await composed(layers(list), around: client)(.named("articles"))
    let (a, b, c) = (layers(nest)[0], layers(nest)[1], layers(nest)[2])
    let nestedAnswer = try await a(.named("articles")) { try await b($0) { try await c($0, client) } }

    #expect(
      String(decoding: composedAnswer.data, as: UTF8.self) == String(decoding: nestedAnswer.data, as: UTF8.self),
      "The client got what the nested one got, and each changed the answer in the same order.")
    #expect(list.withLock { $0 } == nest.withLock { $0 }, "Each was asked once, in the same order.")
  }

  @Test("unchanged: an empty list is the client")
  func isTheClient() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let sut = composed([]) { try await client.receive($0) }

    let call = Running { try await sut(.elaborate).data }
    await client.receives(1)
    client.complete(with: .success(answer("body")))
    let data = try await call.outcome().expectSuccess("The client has answered.")

    #expect(data == Data("body".utf8), "With nothing around it the client answers for itself.")
    expectUnchanged(client.arguments[0], from: .elaborate)
    #expect(client.count == 1, "One call is one call of the client.")
  }

  @Test("who does not ask the next one, stops the request")
  func obeysShortCircuits() async throws {
    let journal = Locked<[String]>([])
    let stop: Middleware = { _, _ in answer("stopped") }
    let sut = composed([writing("outer", into: journal), stop, writing("inner", into: journal)]) { _ in
      journal.withLock { $0.append("client") }
      return answer()
    }

    let (data, _) = try await sut(.named("articles"))

    #expect(data == Data("stopped".utf8), "The answer of the one who stops is the answer.")
    #expect(journal.withLock { $0 } == ["in outer", "out outer"], "Behind the one who stops, nobody hears of the request.")
  }

  @Test("what one changes is what the next one gets")
  func passesChangesOn() async throws {
    let sent = Locked<[URLRequest]>([])
    let adding: Middleware = { request, next in
      var request = request
      request.setValue("7.1", forHTTPHeaderField: "X-App-Version")
      return try await next(request)
    }
    let sut = composed([adding, writing("inner", into: Locked([]))]) { request in
      sent.withLock { $0.append(request) }
      return answer()
    }

    _ = try await sut(.elaborate)

    let request = try #require(sent.withLock { $0 }.first, "The client has to be asked.")
    #expect(request.value(forHTTPHeaderField: "X-App-Version") == "7.1", "The changed request has to be passed on.")
    expectUnchanged(request, from: .elaborate)
  }

  @Test("who asks the next one twice is answered twice")
  func canBeAskedTwice() async throws {
    let journal = Locked<[String]>([])
    let twice: Middleware = { request, next in
      _ = try await next(request)
      return try await next(request)
    }
    let sut = composed([twice, writing("inner", into: journal)]) { _ in answer() }

    _ = try await sut(.named("articles"))

    #expect(
      journal.withLock { $0 } == ["in inner", "out inner", "in inner", "out inner"], "`next` is the whole rest of the chain.")
  }

  @Test("an error comes out through all of them, and each may turn it into an answer")
  func passesErrorsOut() async throws {
    let seen = Locked<[String]>([])
    func watching(_ name: String) -> Middleware {
      { request, next in
        do {
          return try await next(request)
        } catch {
          seen.withLock { $0.append(name) }
          throw error
        }
      }
    }
    let rescuing: Middleware = { request, next in (try? await next(request)) ?? answer("rescued") }
    let sut = composed([watching("outer"), rescuing, watching("b"), watching("a")]) { _ in throw URLError(.timedOut) }

    let data = try await Running { try await sut(.named("articles")).data }.outcome().expectSuccess(
      "One of them turns the error into an answer.")

    #expect(data == Data("rescued".utf8), "The one who catches the error decides what comes of it.")
    #expect(seen.withLock { $0 } == ["a", "b"], "An error goes outwards until somebody catches it.")
  }

  @Test("an answer that comes in spite of a cancel comes out through the chain")
  func deliversInSpiteOfACancel() async throws {
    let journal = Locked<[String]>([])
    let sut = composed([writing("a", into: journal)]) { _ in answer("body") }

    let call = Running {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await sut(.named("articles")).data
    }

    let data = try await call.outcome().expectSuccess(
      "The client has gone on to the end: what it brings is not the chain's business.")
    #expect(data == Data("body".utf8), "The answer comes as it is.")
    #expect(
      journal.withLock { $0 } == ["in a", "out a"], "The middleware sees the request on its way in and the answer on its way out."
    )
  }

  @Test("a cancellation reaches the client")
  func passesCancellationOn() async throws {
    let client = AsyncCalls<URLRequest, Response>(to: "the client")
    let journal = Locked<[String]>([])
    let sut = composed([writing("a", into: journal), writing("b", into: journal)]) { try await client.receive($0) }

    let call = Running { try await sut(.named("articles")).data }
    await client.receives(1)
    call.cancel()

    let error = try await call.outcome(
      "The task was cancelled, and the client still waits: the chain runs in the task of its caller, and in no other."
    ).failure
    #expect(error is CancellationError, "The chain runs in its caller's task: it should throw a `CancellationError`.")
    #expect(client.cancelled == [0], "The chain runs in its caller's task: the cancellation should reach the client.")
    #expect(journal.withLock { $0 } == ["in a", "in b"], "The request was on its way through both.")
  }

  /// A middleware that leaves an entry on the way in and on the way out.
  private func writing(_ name: String, into journal: Locked<[String]>) -> Middleware {
    { request, next in
      journal.withLock { $0.append("in \(name)") }
      let response = try await next(request)
      journal.withLock { $0.append("out \(name)") }
      return response
    }
  }
}

/// An answer with status 200 and a body.
private func answer(_ body: String = "") -> Response {
  (
    Data(body.utf8),
    HTTPURLResponse(url: URL(string: "https://example.com")!, statusCode: 200, httpVersion: nil, headerFields: nil)!
  )
}
