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

  /// Tries each variant against the suite of its lesson.
  ///
  /// - Parameter lessons: The numbers of the lessons.
  /// - Throws: ``Interrupted``, or a ``Problem`` if something cannot be written or started.
  func findings(_ lessons: [Int]) throws -> [Finding] {
    // The gate on Linux tries them by the matrix.
    if kata.environment["KATA_QUARTER"] == "none" { return [] }
    let variants = lessons.map { lesson in
      Variant.Kind.allCases.flatMap { kind in
        VariantTrials.part(
          of: Variant.all(kind, ofLesson: lesson, in: kata.repository), quarter: kata.environment["KATA_QUARTER"])
      }
    }
    let verdicts = try verdicts(on: variants)
    return Variant.Kind.allCases.flatMap { kind in
      lessons.map { lesson in
        let own = verdicts.filter { $0.variant.kind == kind && $0.variant.lesson == lesson }
        return Verdict.finding(own, kind, lesson: lesson)
      }
    }
  }

  /// A quarter of the variants, for a gate that has to be quick. Consecutive numbers cover all of them.
  ///
  /// - Parameters:
  ///   - variants: The variants.
  ///   - quarter: A number, whose remainder by four says which quarter; `nil` for all variants.
  static func part(of variants: [Variant], quarter: String?) -> [Variant] {
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
    if let fault = try variant.fault ?? scratch.apply(variant) {
      return Verdict(variant: variant, text: "not tried", fault: fault)
    }
    var suites = scratch.proof
    suites.silence = Verdict.limit
    // One failure proves that an impostor is caught. The rest of its run would only cost time.
    suites.stopsAtFirstFailure = variant.kind == .impostor
    return Verdict(variant, report: try suites.run(filter: "Solution\(variant.lesson)Tests\\."))
  }
}
