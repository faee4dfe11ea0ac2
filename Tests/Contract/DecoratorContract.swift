// DecoratorContract 1.3 (2026-11-29): one file that checks any decorator against the house rules of the Decorator kata.
//
// To use it, copy this file into a test target that uses Swift Testing, in Swift 6.2 or later, on macOS, iOS or Linux, in Swift 5
// or Swift 6 mode. It imports nothing else, and needs no other file. To find out whether a copy is up to date, compare this
// number with that of Tests/Contract/DecoratorContract.swift in the kata, or the files with `diff`.
//
// MIT License. Copyright (c) 2026 The Decorator Kata contributors. The license of the kata is the license of this file. Leave this
// comment in your copy, and you have met it: https://opensource.org/license/mit. It comes without warranty of any kind.

import Foundation
import Testing

/// What every decorator of a service promises, whatever its job: each call, and each result, passes through once, unchanged.
///
/// A contract belongs to one method of a protocol. You write it once: requests and results as samples, a stub whose method only
/// calls a function, and a call of the method. Then each decorator takes one line. It fails with one sentence about the first
/// promise that the decorator breaks.
///
/// **A method with a completion.** If it has no parameter, `Request` is `Void`, and `requests` is `[()]`. The
/// stub is `nonisolated` for modules whose declarations belong to the main actor, as in a new app in Xcode 26.
///
///     let search = DecoratorContract<any Search, String, Result<[String], any Error>>(
///       requests: ["tea", "bread and butter"],
///       results: [.success(["b", "a"]), .success([]), .failure(URLError(.timedOut)), .failure(CancellationError())],
///       makeDecoratee: { SearchStub(forward: $0) },
///       call: { $0.find($1, completion: $2) })
///
///     nonisolated struct SearchStub: Search {
///       let forward: @Sendable (String, @escaping (Result<[String], any Error>) -> Void) -> Void
///
///       func find(_ text: String, completion: @escaping (Result<[String], any Error>) -> Void) { forward(text, completion) }
///     }
///
///     @Test func loggingSearch() async {
///       await search.check { LoggingSearch(decoratee: $0, log: { _ in }) }
///     }
///
/// **An async method,** here with two parameters, which are a tuple in the contract. `Output` is a `Result` here, too. If the
/// method does not throw, the stub calls the function with `try!`, and all samples are successes.
///
///     let translating = DecoratorContract<any Translating, (text: String, language: Locale.Language), Result<String, any Error>>(
///       requests: [("tea", .init(identifier: "fr")), (" bread", .init(identifier: "de"))],
///       results: [.success("thé"), .success(""), .failure(URLError(.timedOut)), .failure(CancellationError())],
///       makeDecoratee: { TranslatingStub(forward: $0) },
///       call: { try await $0.translate($1.text, into: $1.language) })
///
///     nonisolated struct TranslatingStub: Translating {
///       let forward: @Sendable ((text: String, language: Locale.Language)) async throws -> String
///
///       func translate(_ text: String, into language: Locale.Language) async throws -> String {
///         try await forward((text, language))
///       }
///     }
///
///     @Test func trimmingTranslating() async {
///       await translating.check(
///         ignoring: { $0.text = $0.text.trimmingCharacters(in: .whitespaces) },
///         decorate: { TrimmingTranslating(decoratee: $0) })
///     }
///
/// **Samples decide what is caught.** A decorator that treats 403 or an empty list in its own way is caught only if a sample is
/// one. Choose values that differ from the defaults in each part, and errors that your code knows. With two requests or more, calls
/// also follow each other, so that a cache without a key is caught; let caches start empty. Values need not be equatable: they are
/// compared part by part, except for closures. What a decorator treats in its own way on purpose is no sample: remove it, or
/// change it (`var contract = search`, `contract.results.removeAll …`), or give the decorator a setting that changes nothing. Test
/// the rest in a test of its own.
///
/// **What it does not check:** the decorator's own job; equal requests, one after the other; races between many threads; copies of
/// a store or a clock that should be read on each call; callbacks that can be canceled; services that can be called on the main
/// actor only (make their protocol `nonisolated`). A retry or a refresh has to forward the samples once: give it credentials that
/// are valid, and results that it does not retry. A timer that retains the completion until it fires breaks `lifetime`, even if it
/// has been canceled. A queue that waits for itself (`sync`) ends the process, and only the backtrace names the line.
///
/// If the compiler finds that a global `let` is not concurrency-safe, some type in it is not `Sendable`: write a computed `var`. An
/// async method needs a `Sendable` request. For a generic method, choose a type in `call`, and cast in the stub.
///
/// A check takes about a tenth of a second, plus what the decorator itself takes in some two hundred calls, or up to `patience` for
/// a wait that fails. Checks that run in parallel take turns, and keep the main queue busy for moments.
nonisolated struct DecoratorContract<Service, Request, Output> {
  /// What a check can leave out for a decorator that does not promise it. No decorator can leave out that it forwards each call
  /// once, and delivers one result for it.
  enum Promise: CaseIterable, Sendable {
    /// Requests and results are passed on as they are.
    case unchanged
    /// The result arrives even if nothing but the call retains the decorator, and nothing is retained afterward. (If this is left
    /// out, a second result that comes late is not noticed.)
    case lifetime
    /// Calls that overlap get their own results, in any order.
    ///
    /// A decorator that merges equal calls keeps this promise: with two requests or more, calls that overlap are different. So leave it out
    /// only if all calls are equal, because the method has no parameter, or if one call waits for another on purpose.
    case noMixing
    /// If the caller's task is canceled, so is the decoratee's.
    case cancellation
    /// A completion can call again, and so can another thread during the completion.
    case noWaiting

    /// The likely cause, if nothing failed before the scenes of this promise.
    fileprivate var hint: String {
      switch self {
      case .unchanged: ""
      case .lifetime: " (Nothing but the call retains the decorator here. Does a closure capture it weakly?)"
      case .noMixing: " (Calls overlap here. Does a property hold something of one call, or does one call wait for another?)"
      case .cancellation: " (The caller's task is canceled here.)"
      case .noWaiting:
        " (A completion calls again here, as does another thread. Is a lock held, or a list being served, while a completion is called?)"
      }
    }
  }

  /// Requests that the decorators let through. Give their parts values that differ from the defaults.
  var requests: [Request]
  /// At least two different results that the decorators deliver unchanged: two successes first, then errors, and a cancellation.
  var results: [Output]
  /// How many seconds to wait for something that should happen. A correct decorator does not use them up.
  var patience = 6.0
  private let makeDecoratee: @Sendable (Line) -> sending Service
  private let start: @Sendable (Service, Request, @escaping @Sendable (Output) -> Void) -> Task<Void, Never>?
  private var exceptions: Set<Promise> = []
  private var ignore: @Sendable (inout Request) -> Void = { _ in }

  /// Creates a contract for a method with a completion.
  ///
  /// - Parameters:
  ///   - requests: Requests that the decorators let through.
  ///   - results: Different results that the decorators deliver unchanged, two successes first.
  ///   - makeDecoratee: A closure that returns a service whose method does nothing but call a function.
  ///   - call: A closure that calls the method of a service.
  init(
    requests: [Request], results: [Output],
    makeDecoratee: @escaping @Sendable (@escaping @Sendable (Request, @escaping (Output) -> Void) -> Void) -> sending Service,
    call: @escaping @Sendable (Service, Request, @escaping @Sendable (Output) -> Void) -> Void
  ) {
    (self.requests, self.results) = (requests, results)
    self.makeDecoratee = { line in makeDecoratee { line.scene.forward($0, $1) } }
    start = { service, request, completion in
      call(service, request, completion)
      return nil
    }
  }

  /// Creates a contract for an async method. The parameters are those of the other initializer.
  init<Value: Sendable>(
    requests: [Request], results: [Output],
    makeDecoratee: @escaping @Sendable (@escaping @Sendable (Request) async throws -> Value) -> sending Service,
    call: @escaping @Sendable (sending Service, Request) async throws -> Value
  ) where Request: Sendable, Output == Result<Value, any Error> {
    (self.requests, self.results) = (requests, results)
    self.makeDecoratee = { line in
      makeDecoratee { request in
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            line.scene.forward(request) { continuation.resume(with: $0) }
          }
        } onCancel: {
          line.scene.change { line.scene.isCanceled = true }
        }
      }
    }
    start = { service, request, completion in
      let service = Unchecked(value: service)
      return Task {
        do { completion(.success(try await call(service.value, request))) } catch { completion(.failure(error)) }
      }
    }
  }

  /// Checks a decorator, and reports the first promise that it breaks.
  ///
  /// - Parameters:
  ///   - exceptions: What this decorator does not promise. One that shares a load between callers, for example, does not pass on the
  ///     cancellation of one of them.
  ///   - ignore: A closure that brings a request into a form in which what this decorator changes on purpose makes no difference.
  ///     It may remove a header, for example.
  ///   - isolation: The actor on which the decorator is made.
  ///   - sourceLocation: The source location of the issue.
  ///   - decorate: A closure that returns a new decorator around a service. It is called many times.
  func check(
    except exceptions: Set<Promise> = [], ignoring ignore: @escaping @Sendable (inout Request) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    decorate: (sending Service) -> Service
  ) async {
    guard !requests.isEmpty, !results.isEmpty else {
      Issue.record("A contract needs a request, and a result.", sourceLocation: sourceLocation)
      return
    }
    var contract = self
    (contract.exceptions, contract.ignore) = (exceptions, ignore)
    for promise in Promise.allCases where promise == .unchanged || !exceptions.contains(promise) {
      for moment in Moment.allCases where moment != .early || promise != .noMixing {
        for (order, results) in contract.scenes(of: promise, moment) {
          let scene = Scene(contract, promise, moment, order, results)
          scene.service = decorate(makeDecoratee(Line(scene)))
          if let sentence = await scene.failure() {
            Issue.record("\(sentence)", sourceLocation: sourceLocation)
            return
          }
        }
      }
    }
  }

  /// The results of the calls in each scene.
  private func scenes(of promise: Promise, _ moment: Moment) -> [(Order, [Output])] {
    // Each call has another request: a cache might answer the same one again.
    let different = exceptions.contains(.unchanged) ? [] : Array(results.prefix(requests.count))
    return switch promise {
    case .unchanged where requests.count > 1:
      results.map { (.oneByOne, [results[0], $0]) } + results.map { (.oneByOne, [$0, results[0]]) }
    case .noMixing where moment == .later:
      // Whether calls meet on their way to the decoratee is a matter of luck.
      overlaps.map { (.overlapping, $0) } + Array(repeating: (.atOnce, different), count: different.count > 1 ? 20 : 0)
    case .noMixing: [(.overlapping, Array(results.prefix(2)))]
    default: results.map { (.oneByOne, [$0]) }
    }
  }

  /// The results of calls that overlap. Calls with the same request may be merged, so those in a scene have different ones, unless
  /// there is only one.
  private var overlaps: [[Output]] {
    let size = requests.count > 1 ? min(requests.count, results.count) : results.count
    return stride(from: 0, to: results.count, by: size).map { start in
      (start..<start + size).map { results[$0 % results.count] }
    }
  }

  /// When a scene's calls begin: after the results of those before, after those before have been forwarded, or immediately.
  private enum Order { case oneByOne, overlapping, atOnce }

  /// When the decoratee delivers: later while the main queue is busy, later on the main queue, or before its method returns.
  private enum Moment: CaseIterable { case later, onMainQueue, early }

  /// What the decoratee retains, and each completion. So a scene hears of their release.
  private final class Line: Sendable {
    let scene: Scene
    let number: Int

    init(_ scene: Scene) {
      self.scene = scene
      number = scene.change {
        scene.lines.append(true)
        return scene.lines.count - 1
      }
    }

    deinit { scene.change { scene.lines[number] = false } }
  }

  private struct Unchecked<Value>: @unchecked Sendable { let value: Value }
  private struct Failure: Error { let sentence: String }

  /// A decorator at work: what reaches its decoratee, and what its callers receive.
  private final class Scene: @unchecked Sendable {
    let contract: DecoratorContract
    let promise: Promise
    let moment: Moment
    let order: Order
    let results: [Output]
    let lock = NSCondition()
    var service: Service?
    var tasks: [Task<Void, Never>?] = []
    var calls: [(request: Request, end: ((Output) -> Void)?)] = []
    /// Which call of a caller each call of the decoratee belongs to, if their order may differ.
    var owners: [Int] = []
    var received: [Int: [Output]] = [:]
    /// Whether the decoratee, and each completion after it, is still retained.
    var lines: [Bool] = []
    var nestedCallsReturned = false
    var isCanceled = false

    init(_ contract: DecoratorContract, _ promise: Promise, _ moment: Moment, _ order: Order, _ results: [Output]) {
      (self.contract, self.promise, self.moment, self.order, self.results) = (contract, promise, moment, order, results)
    }

    /// Plays the scene on a queue that may wait, and returns what went wrong.
    func failure() async -> String? {
      await withCheckedContinuation { continuation in
        stage.async {
          var sentence: String?
          do throws(Failure) { try self.play() } catch { sentence = error.sentence + self.promise.hint }
          continuation.resume(returning: sentence)
          // A decorator that is stuck may never return from these.
          Thread.detachNewThread {
            _ = self.change { self.service.take() }
            for index in self.change({ self.calls.indices }) { self.end(index) }
          }
        }
      }
    }

    func play() throws(Failure) {
      if order == .atOnce {
        try expectReturn(of: "A call") { for index in self.results.indices { self.call(index) } }
        try expectOwnRequests()
      }
      for index in results.indices where order != .atOnce {
        try expectReturn(of: "A call") { self.call(index) }
        if promise == .lifetime { _ = change { service.take() } }
        let later = order == .oneByOne && index > 0 ? " after another" : ""
        try expect("A call should be forwarded, but does not reach the decoratee\(later).") { calls.count > index }
        try expectNoOtherCall()
        let change = change { difference(of: simple(calls[index].request), from: simple(request(index))) }
        try expect("A request should be forwarded unchanged, but \(change ?? "").", .unchanged, now: true) { change == nil }
        if promise == .cancellation, moment != .early, let task = self.change({ tasks[0] }) {
          task.cancel()
          try expect("A cancellation should reach the decoratee. Does the call run in a task of its own?") { isCanceled }
        }
        try expect("A result should not arrive before the decoratee delivers one.", now: true) {
          moment == .early || received[index] == nil
        }
        if order == .oneByOne { try expectResults([index]) }
      }
      if order != .oneByOne {
        for indices in moment == .later ? results.indices.reversed().map({ [$0] }) : [Array(results.indices)] {
          try expectResults(indices)
        }
      }
      if promise == .noWaiting {
        try expect("A call during a completion should return.") { nestedCallsReturned }
        try expect("A call during a completion should get its result.") { received[1] != nil && received[2] != nil }
      }
      for (index, result) in results.enumerated() {
        let sentence = "A result has arrived, so nothing should retain the completion. Is it stored, or does a timer retain it?"
        try expect(sentence, .lifetime) { !lines[index + 1] }
        // Once the completion has been released, no other result can arrive.
        let own = change { received[index] ?? [] }
        try expect("A result should arrive once, but arrives \(own.count) times: \(brief(result)).", now: true) { own.count == 1 }
        let change = promise == .cancellation ? nil : difference(of: own[0], from: result)
        try expect("A result should be delivered unchanged, but \(change ?? "").", .unchanged, now: true) { change == nil }
      }
      _ = change { service.take() }
      try expect("All calls are over, so nothing should retain the decoratee. Does a stored closure capture it?", .lifetime) {
        !lines[0]
      }
      try expectNoOtherCall()
    }

    /// Delivers results back to back, the last one first, and expects them to arrive.
    func expectResults(_ indices: [Int]) throws(Failure) {
      if moment != .early {
        try expectReturn(of: "The decorator's completion") { for index in indices.reversed() { self.end(index) } }
      }
      for owner in indices.map(owner(of:)) {
        try expect("A result should arrive, but is lost or late: \(brief(results[owner])).") { received[owner] != nil }
        try expectNoOtherCall(after: " after \(brief(results[owner]))")
      }
    }

    func expectOwnRequests() throws(Failure) {
      try expect("A call should be forwarded, but does not reach the decoratee.") { calls.count >= results.count }
      try expectNoOtherCall()
      for request in change({ calls.map { simple($0.request) } }) {
        let owner = results.indices.first { index in
          !owners.contains(index) && difference(of: request, from: simple(self.request(index))) == nil
        }
        guard let owner else {
          throw Failure(sentence: "Each call should forward its own request, but one forwards another's: \(brief(request)).")
        }
        change { owners.append(owner) }
      }
    }

    func expectNoOtherCall(after: String = "") throws(Failure) {
      try expect("A call should be forwarded once, but is forwarded again\(after).", now: true) { calls.count < lines.count }
    }

    /// Waits for a condition, unless it has to hold now. Nothing is expected of a decorator that need not keep the promise.
    ///
    /// Time counts only while tasks can run: other tests may occupy all their threads for seconds.
    func expect(
      _ sentence: @autoclosure () -> String, _ promise: Promise? = nil, now isDueNow: Bool = false, _ condition: () -> Bool
    ) throws(Failure) {
      if let promise, contract.exceptions.contains(promise) { return }
      if lock.withLock(condition) { return }
      for _ in 0..<(isDueNow ? 0 : 6) {
        let deadline = Date(timeIntervalSinceNow: contract.patience / 6)
        let isMet = lock.withLock {
          while !condition() { guard lock.wait(until: deadline) else { return condition() } }
          return true
        }
        if isMet { return }
        let hasRun = DispatchSemaphore(value: 0)
        Task.detached { hasRun.signal() }
        _ = hasRun.isSignaled(within: 10 * contract.patience)
      }
      throw Failure(sentence: sentence())
    }

    /// Works on the main queue, or on another thread while the main queue is busy, and expects the work to return.
    func expectReturn(of name: String, _ work: @escaping @Sendable () -> Void) throws(Failure) {
      let hasBegun = DispatchSemaphore(value: 0)
      let isFree = DispatchSemaphore(value: 0)
      let isOver = DispatchSemaphore(value: 0)
      let isOnMainQueue = moment == .onMainQueue
      let patience = contract.patience
      DispatchQueue.main.async {
        hasBegun.signal()
        if isOnMainQueue { work() } else { isFree.wait() }
        isOver.signal()
      }
      defer { isFree.signal() }
      guard hasBegun.isSignaled(within: 10 * patience) else {
        throw Failure(sentence: "The main queue should be free for this check. Does another test block it?")
      }
      if !isOnMainQueue {
        Thread.detachNewThread {
          work()
          isOver.signal()
        }
      }
      guard isOver.isSignaled(within: patience) else {
        throw Failure(sentence: "\(name) should return. Does it wait for a result, a lock, or the main queue?")
      }
    }

    /// Reads or changes what has happened.
    @discardableResult
    func change<Value>(_ body: () -> Value) -> Value {
      lock.withLock {
        defer { lock.broadcast() }
        return body()
      }
    }

    func owner(of index: Int) -> Int { order == .atOnce && index < owners.count ? owners[index] : index }

    func request(_ index: Int) -> Request { contract.requests[index % contract.requests.count] }

    func simple(_ request: Request) -> Request {
      var request = request
      contract.ignore(&request)
      return request
    }

    func call(_ index: Int) {
      let line = Line(self)
      guard let service = change({ service }) else { return }
      let task = contract.start(service, request(index)) { line.scene.receive($0, index) }
      change { tasks.append(task) }
    }

    func forward(_ request: Request, _ end: @escaping (Output) -> Void) {
      let index = change {
        calls.append((request, end))
        return calls.count - 1
      }
      if moment == .early || index >= results.count { self.end(index) }
    }

    func end(_ index: Int) {
      let (owner, end) = change { (self.owner(of: index), self.calls[index].end.take()) }
      end?(results[owner % results.count])
    }

    func receive(_ result: Output, _ index: Int) {
      change { received[index, default: []].append(result) }
      guard promise == .noWaiting, index == 0 else { return }
      let isOver = DispatchSemaphore(value: 0)
      call(1)
      Thread.detachNewThread {
        self.call(2)
        isOver.signal()
      }
      if isOver.isSignaled(within: contract.patience / 2) { change { nestedCallsReturned = true } }
    }
  }
}

extension DispatchSemaphore {
  /// Waits for a signal. The time is counted in ticks, so a breakpoint ends no wait.
  nonisolated fileprivate func isSignaled(within seconds: Double) -> Bool {
    (1...100).contains { _ in wait(timeout: .now() + seconds / 100) == .success }
  }
}

nonisolated extension DecoratorContract: Sendable where Request: Sendable, Output: Sendable {}

/// Where scenes play, one after the other. In parallel, they would wait for each other's main queue.
nonisolated private let stage = DispatchQueue(label: "DecoratorContract")

/// Describes the first difference between two values of any type: "from.street is "", not "Main Street"".
///
/// Parts are compared, too: some types ignore parts in `==`, as `URLRequest` ignores its header fields on Linux. A part that
/// is not equatable counts only if the whole is not.
nonisolated private func difference(of one: Any, from other: Any, in name: String = "it") -> String? {
  func isEqual<Value: Equatable>(_ value: Value) -> Bool { value == other as? Value }
  func path(_ label: String) -> String { name == "it" ? label : label.hasPrefix(".") ? name + label : "\(name).\(label)" }
  let mirror = Mirror(reflecting: one)
  let others = Mirror(reflecting: other).children
  let equatable = one as? any Equatable
  if equatable == nil, let one = one as? [AnyHashable: Any], let other = other as? [AnyHashable: Any], one.count == other.count {
    for (key, value) in one {
      guard let otherValue = other[key] else { return "\(name) has \(brief(key.base)), and should not" }
      if let found = difference(of: value, from: otherValue, in: "\(name)[\(brief(key.base))]") { return found }
    }
    return nil
  }
  let isWhole = one is Data || [.class, .set, .dictionary].contains(mirror.displayStyle)
  let parts = isWhole || mirror.children.count != others.count ? [] : Array(zip(mirror.children, others))
  for (part, other) in parts where equatable == nil || part.value is any Equatable {
    if part.label != other.label { break }
    let label = part.label.flatMap { $0 == "some" ? nil : path($0) } ?? name
    if let found = difference(of: part.value, from: other.value, in: label) { return found }
  }
  let isSame =
    if let equatable { isEqual(equatable) } else if mirror.displayStyle == .class {
      one as AnyObject === other as AnyObject
    } else if parts.isEmpty { "\(one)" == "\(other)" } else {
      type(of: one) == type(of: other) && parts.allSatisfy { $0.label == $1.label }
    }
  return isSame ? nil : "\(name) is \(brief(one)), not \(brief(other))"
}

/// Describes a value in a sentence.
nonisolated private func brief(_ value: Any) -> String {
  let string = value as? String ?? (value as? Data).flatMap { String(data: $0, encoding: .utf8) }
  let text = string.map { "\"\($0)\"" } ?? "\(value)".split(whereSeparator: \.isWhitespace).joined(separator: " ")
  return text.count > 120 ? "\(text.prefix(120))…" : text
}
