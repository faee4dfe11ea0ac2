import Foundation
import Synchronization

/// Tries variants: those of a lesson one after the other, and several lessons in parallel.
///
/// Each worker has a copy of the package that builds one lesson at a time. Building and testing one small change keeps a single
/// processor busy at best, so workers hardly slow each other down.
struct VariantTrials: Sendable {
  let kata: Kata

  /// What all workers share.
  private struct Work {
    /// The variants of the lessons that no worker has started with, the lesson with the fewest variants first.
    var open: [[Variant]]
    var verdicts: [Verdict] = []
    var failure: (any Error)?
  }

  /// Checks the form of every variant, and tries each against the suite of its lesson.
  ///
  /// - Parameters:
  ///   - lessons: The numbers of the lessons.
  ///   - proven: The lessons whose variants to try.
  /// - Throws: ``Interrupted``, or a ``Problem`` if something cannot be written or started.
  func findings(_ lessons: [Int], proven: [Int]) throws -> [Finding] {
    let groups = lessons.flatMap { lesson in
      Variant.Kind.allCases.map { ($0, lesson, Variant.all($0, ofLesson: lesson, in: kata.repository)) }
    }
    let malformed = groups.flatMap(\.2).compactMap { variant in
      variant.fault.map { Verdict(variant: variant, text: "not tried", fault: $0) }
    }
    let tried = proven.map { lesson in
      groups.filter { $0.1 == lesson }.flatMap {
        VariantTrials.part(of: $0.2, quarter: kata.environment["KATA_QUARTER"]).filter { $0.fault == nil }
      }
    }
    let verdicts = try malformed + verdicts(on: tried)
    return groups.compactMap { kind, lesson, variants in
      let own = verdicts.filter { $0.variant.kind == kind && $0.variant.lesson == lesson }
      return own.isEmpty && !variants.isEmpty ? nil : Verdict.finding(own, kind, lesson: lesson)
    }
  }

  /// A quarter of the variants, for a gate that has to be quick. Consecutive numbers cover all of them.
  ///
  /// - Parameters:
  ///   - variants: The variants.
  ///   - quarter: A number, whose remainder by four says which quarter; `nil` for all variants, and `none` for none, since the
  ///     gate on Linux tries them by the matrix.
  static func part(of variants: [Variant], quarter: String?) -> [Variant] {
    if quarter == "none" { return [] }
    guard let quarter = quarter.flatMap(Int.init) else { return variants }
    return variants.enumerated().filter { $0.offset % 4 == quarter % 4 }.map(\.element)
  }

  private func verdicts(on variants: [[Variant]]) throws -> [Verdict] {
    let work = Mutex(Work(open: variants.filter { !$0.isEmpty }.sorted { $0.count < $1.count }))
    let count = variants.joined().count
    DispatchQueue.concurrentPerform(iterations: min(variants.count, ProcessInfo.processInfo.activeProcessorCount)) { worker in
      do {
        let scratch = Scratch(kata: kata, worker: worker + 1)
        while let next = work.withLock({ $0.open.popLast() }) {
          try scratch.sync(lessons: [next[0].lesson])
          for variant in next {
            let verdict = try verdict(variant, scratch)
            let done = work.withLock {
              $0.verdicts.append(verdict)
              return $0.verdicts.count
            }
            kata.terminal.live("\(Style.bar(done, of: count)) \(done) of \(count): \(variant.name)")
          }
        }
      } catch {
        work.withLock { ($0.open, $0.failure) = ([], error) }
      }
    }
    let (verdicts, failure) = work.withLock { ($0.verdicts, $0.failure) }
    if let failure { throw failure }
    return verdicts
  }

  private func verdict(_ variant: Variant, _ scratch: Scratch) throws -> Verdict {
    defer { try? scratch.restore(variant) }
    if let fault = try scratch.apply(variant) {
      return Verdict(variant: variant, text: "not tried", fault: fault)
    }
    var suites = scratch.proof
    suites.silence = Verdict.limit
    // One failure proves that an impostor is caught. The rest of its run would only cost time.
    suites.stopsAtFirstFailure = variant.kind == .impostor
    return Verdict(variant, report: try suites.run(filter: "Solution\(variant.lesson)Tests\\."))
  }
}
