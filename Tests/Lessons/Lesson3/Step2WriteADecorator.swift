import Given
import TestSupport
import Testing

@Suite("Step 2: write a decorator", .oneAtATime)
struct Step2WriteADecorator {
  private let request = URLRequest.named("articles")

  @Test("a header that a request lacks is added")
  func addsHeaders() async throws {
    let client = TestSupport.HTTPClientSpy()

    addingHeaders(["X-App-Version": "7.1", "X-Trace": ""], to: client).load(request) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The client has received no request. Forward each one to it.")
    #expect(sent.value(forHTTPHeaderField: "X-App-Version") == "7.1", "If a request lacks one of your headers, add it.")
    #expect(sent.value(forHTTPHeaderField: "X-Trace") == "", "If a request lacks one of your headers, add it, even an empty one.")
  }

  @Test("a header that the request already has is kept")
  func neverOverwrites() async {
    await each("the caller's value", in: ["fr-CA", ""]) { value in
      let sent = await headers(
        ["Accept-Language": "de-DE", "Accept": "text/html", "X-Content-Type": "a"],
        addedTo: ["Accept-Language": value, "Content-Type": "text/plain"])

      #expect(
        sent == ["accept-language": value, "content-type": "text/plain", "accept": "text/html", "x-content-type": "a"],
        "Keep each header that the caller has set, even an empty one. Decide for each of yours separately whether the request lacks it."
      )
    }
  }

  @Test("header names are not case-sensitive")
  func ignoresCase() async {
    let spellings = ["Accept-Language", "accept-language", "ACCEPT-LANGUAGE"]
    await each("the decorator's name", in: spellings, "the caller's name", in: spellings) { name, callersName in
      let sent = await headers([name: "de-DE", "X-App-Version": "7.1"], addedTo: [callersName: "fr-CA"])

      #expect(
        sent == ["accept-language": "fr-CA", "x-app-version": "7.1"],
        "`accept-language` and `Accept-Language` are the same header. Compare names without regard to case.")
    }
  }

  @Test("if two of your decorators add the same header, one wins")
  func nests() async {
    let client = TestSupport.HTTPClientSpy()
    let inner = addingHeaders(["X-Both": "inner", "X-Inner": "1"], to: client)

    addingHeaders(["X-Both": "outer", "X-Outer": "2"], to: inner).load(request) { _ in }
    await client.calls.receives(1)

    #expect(
      client.requests.map(\.headers) == [["x-both": "outer", "x-inner": "1", "x-outer": "2"]],
      "When a request reaches the inner decorator, it has the headers of the outer one. Keep them, and add what is missing.")
  }

  @Test("a decorator written by someone else works between two of yours")
  func composes() async {
    let (client, counts, results) = (TestSupport.HTTPClientSpy(), Inbox<Int>(), Inbox<HTTPResult>())
    let inner = addingHeaders(["X-Inner": "1"], to: client)
    let counting = ActivityHTTPClientDecorator(decoratee: inner, addToCount: counts.receive)
    let sut = addingHeaders(["X-Outer": "2"], to: counting)

    sut.load(request, completion: results.receive)
    await client.calls.receives(1)
    client.calls.complete(with: .status(200, "news"))
    await results.receives(1)

    #expect(client.requests.map(\.headers) == [["x-inner": "1", "x-outer": "2"]], "Wrap any `HTTPClient`, whatever its type.")
    #expect(
      counts.values == [1, -1] && results.values.map(\.text) == ["200 news"],
      "Pass each request on once, and each result back once, through every decorator.")
  }

  @Test("unchanged: the rest of a request is forwarded")
  func forwardsTheRest() async throws {
    let client = TestSupport.HTTPClientSpy()

    addingHeaders(["X-App-Version": "7.1"], to: client).load(.elaborate) { _ in }
    await client.calls.receives(1)

    let sent = try #require(client.requests.first, "The client has received no request. Forward each one to it.")
    expectUnchanged(sent, from: .elaborate)
  }

  @Test("unchanged: any result is delivered, even if the app has released the decorator")
  func deliversTheResult() async throws {
    let responses = [200, 204, 304, 401, 403, 404, 500].map { HTTPResult.status($0, "news") }
    for result in responses + SampleError.allCases.map({ .failure($0.error) }) {
      try await naming(["result": result.inWordsWithBody]) {
        let (client, results) = (TestSupport.HTTPClientSpy(), Inbox<HTTPResult>())

        // Nothing but the request in flight retains the decorator.
        addingHeaders(["X-App-Version": "7.1"], to: client).load(request, completion: results.receive)
        await client.calls.receives(1)
        client.calls.complete(with: result)

        let delivered = try await results.only("The result was lost. Does your closure need a decorator that is gone by then?")
        #expect(delivered.inWordsWithBody == result.inWordsWithBody, "Deliver each result as it came from the client.")
        if let error = result.failure {
          #expect(delivered.failure?.isSame(as: error) == true, "Deliver each error as it came from the client.")
        }
        #expect(client.requests.count == 1, "Forward each request once, whatever its result.")
      }
    }
  }

  @Test("unchanged: requests that overlap get their own results")
  func keepsResultsApart() async {
    let (client, results) = (TestSupport.HTTPClientSpy(), Inbox<String>())
    let sut = addingHeaders(["X-App-Version": "7.1"], to: client)
    func load(_ number: Int) async {
      sut.load(request) { results.receive("request \(number): \($0.text ?? "an error")") }
      await client.calls.receives(number)
    }
    func end(_ number: Int) async {
      let count = results.values.count
      client.calls.complete(number - 1, with: .status(200, "result \(number)"))
      await results.receives(count + 1)
    }

    await load(1)
    await load(2)
    await end(1)
    await load(3)
    await end(3)
    await end(2)

    #expect(
      results.values == [1, 3, 2].map { "request \($0): 200 result \($0)" },
      "Three equal requests overlap: 1 ends first, then 3, then 2. Each completion needs the result of its own request, once.")
  }

  @Test("unchanged: a completion may load again, on this thread or on another one")
  func holdsNoLock() async {
    let results = Inbox<HTTPResult>()
    let sut = addingHeaders(["X-App-Version": "7.1"], to: ClosureClient { $1(.status(200, "from memory")) })

    let hasReturned = await returns {
      sut.load(request) { _ in
        sut.load(request, completion: results.receive)
        onAnotherThread(for: 10) { sut.load(request, completion: results.receive) }
      }
    }

    #expect(hasReturned, "A completion has loaded two other requests, and they wait for it. Hold no lock while you call it.")
    await results.receives(2)
    #expect(results.values.count == 2, "A completion has loaded two other requests. Each of them has a result, too.")
  }

  @Test("unchanged: when a request has ended, nothing of it is kept")
  func keepsNothing() async {
    let client = TestSupport.HTTPClientSpy()
    let sut = addingHeaders(["X-App-Version": "7.1"], to: client)

    await expectReleased("A request has ended, and its completion is still retained. What do you store of a request?") { leaks in
      for (index, result) in [HTTPResult.status(200), .failure(SampleError.offline.error)].enumerated() {
        let lifetime = leaks.lifetime(of: "the completion")
        sut.load(request) { _ in withExtendedLifetime(lifetime) {} }
        await client.calls.receives(index + 1)
        client.calls.complete(index, with: result)
      }
    }
    withExtendedLifetime(sut) {}
  }

  @Test("unchanged: many threads may load at once")
  func servesManyThreads() async {
    let count = 5000
    nonisolated(unsafe) let sut = addingHeaders(
      ["X-App-Version": "7.1"], to: ClosureClient { $1(.status(200, $0.url?.path ?? "")) })
    let results = Inbox<Bool>()

    DispatchQueue.concurrentPerform(iterations: count) { number in
      sut.load(.named("\(number)")) { results.receive($0.text == "200 /\(number)") }
    }
    await results.receives(count)

    #expect(
      results.values.count == count && results.values.allSatisfy(\.self),
      "Many threads called `load` at once. Each request needs its own result, once. What do the calls share?")
  }

  @Test("each of hundreds of requests obeys these rules, whatever it gets")
  func weathersAStorm() async {
    var random = SeededRandom(seed: 3)
    await each("round", in: 1...300) { _ in
      await expectReleased("All requests have ended, but the client is retained. Which stored closure captures `self`?") {
        leaks in
        let early = Locked<HTTPResult?>(nil)
        let client = TestSupport.HTTPClientSpy { _ in early.withLock { $0.take() } }
        leaks.track(client)
        // A decorator around the client, often another one around it, and sometimes somebody else's between the two.
        let added = ["inner", "outer"].prefix(.random(in: 1...2, using: &random)).map { headers(from: $0, using: &random) }
        var sut: (any HTTPClient)? = addingHeaders(added[0], to: client)
        if Bool.random(using: &random) { sut = ActivityHTTPClientDecorator(decoratee: sut!) { _ in } }
        if added.count > 1 { sut = addingHeaders(added[1], to: sut!) }
        var loads: [(request: URLRequest, result: HTTPResult, received: Inbox<HTTPResult>)] = []
        var inFlight: [Int] = []

        /// Checks a request that has ended.
        func check(_ index: Int) async {
          let (request, result, received) = loads[index]
          await naming(["request": request.told, "result": result.inWordsWithBody]) {
            await received.receives(1)
            #expect(
              received.values.map(\.inWordsWithBody) == [result.inWordsWithBody],
              "Pass each result on to its own completion, once, as it came.")
            #expect(client.requests.count == loads.count, "No result is a reason to send another request.")
          }
        }
        /// Ends one of the requests in flight, on any queue.
        func endOne() async {
          let index = inFlight.remove(at: .random(in: inFlight.indices, using: &random))
          await client.calls.complete(
            index, with: loads[index].result, on: Bool.random(using: &random) ? .main : .newBackgroundQueue)
          await check(index)
        }

        for _ in 1...6 {
          if !inFlight.isEmpty, Bool.random(using: &random) {
            await endOne()
            continue
          }
          let path = ["/articles", "/articles?page=2", "/search?q=a%20b"].randomElement(using: &random)!
          let new = RandomRequest.random(using: &random, fields: headerNames).request(for: path)
          let request = [loads.last?.request ?? new, new, new].randomElement(using: &random)!
          let result = HTTPResult.random(body: "body \(loads.count)", using: &random)
          let isEarly = Int.random(in: 0..<4, using: &random) == 0
          let received = Inbox<HTTPResult>()
          loads.append((request, result, received))
          early.withLock { $0 = isEarly ? result : nil }
          sut?.load(request, completion: received.receive)
          await client.calls.receives(loads.count)

          // The caller has the first word, then the outer decorator, then the inner one.
          let expected = added.reversed().reduce(request.headers) { $0.merging($1.lowercased) { first, _ in first } }
          await each("request", in: ["\(request.told), through decorators that add \(added)"]) { _ in
            #expect(
              client.requests.dropFirst(loads.count - 1).map(\.inWords) == [
                request.inWords(withFields: expected.map { ($0, $1) })
              ],
              "Add the headers that the request lacks, whatever their case. Forward the rest unchanged, and forward it once.")
          }
          if isEarly { await check(loads.count - 1) } else { inFlight.append(loads.count - 1) }
        }
        // From here on, often nothing but the requests in flight retains the decorators.
        if Bool.random(using: &random) { sut = nil }
        while !inFlight.isEmpty { await endOne() }
      }
    }
  }

  private let headerNames = ["X-App-Version", "Accept-Language", "X-Request-ID", "Authorization", "Content-Type"]

  /// Makes up the headers that a decorator adds, with names in any spelling, and with some empty values.
  private func headers(from origin: String, using random: inout SeededRandom) -> [String: String] {
    let names = headerNames.shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
    return names.reduce(into: [:]) {
      $0[$1.spelledAtRandom(using: &random)] = [origin, origin, ""].randomElement(using: &random)!
    }
  }

  /// Lets a decorator add headers to a request that has others, and returns those that its client receives.
  private func headers(
    _ added: [String: String], addedTo own: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [String: String]? {
    let client = TestSupport.HTTPClientSpy()
    var request = self.request
    request.allHTTPHeaderFields = own

    addingHeaders(added, to: client).load(request) { _ in }

    #expect(
      await client.calls.receives(1), "The client has received no request. Forward each one to it.",
      sourceLocation: sourceLocation)
    return client.requests.first?.headers
  }
}

extension URLRequest {
  /// The header fields, with their names in lowercase, since the case of a name has no meaning.
  fileprivate var headers: [String: String] { (allHTTPHeaderFields ?? [:]).lowercased }
}

extension [String: String] {
  /// The same headers, with their names in lowercase. If two names differ in case only, both values are there.
  fileprivate var lowercased: Self { Dictionary(map { ($0.key.lowercased(), $0.value) }) { "\($0) and \($1)" } }
}

extension HTTPResult {
  /// Makes up a result: a response with any status, or any error.
  fileprivate static func random(body: String, using random: inout SeededRandom) -> Self {
    Bool.random(using: &random)
      ? .status(.status(using: &random), body) : .failure(SampleError.random(using: &random).error)
  }
}
