import Foundation
import Synchronization

/// Tries variants, one after the other in a lesson, and several lessons side by side.
///
/// Each worker has a copy of the package that builds one lesson at a time. Building and testing one small change keeps a single
/// processor busy at best, so workers hardly get in each other's way.
struct VariantTrials: Sendable {
  let kata: Kata

  /// What all workers share.
  private struct Work {
    /// The lessons that no worker has begun with, the one with the fewest variants first.
    var open: [[Variant]]
    var verdicts: [Verdict] = []
    var failure: (any Error)?
  }

  /// Tries each variant against the suite of its lesson.
  ///
  /// - Parameter lessons: The numbers of the lessons.
  /// - Returns: The columns of impostors and alternatives.
  /// - Throws: ``Interrupted``, or a ``Problem`` if something cannot be written or started.
  func columns(_ lessons: [Int]) throws -> [CheckReport.Area: Column] {
    let variants = lessons.map { lesson in
      Variant.Kind.allCases.flatMap { Variant.all($0, ofLesson: lesson, in: kata.repository) }
    }
    let verdicts = try verdicts(on: variants)
    var columns: [CheckReport.Area: Column] = [:]
    for kind in Variant.Kind.allCases {
      for lesson in lessons {
        let own = verdicts.filter { $0.variant.kind == kind && $0.variant.lesson == lesson }.sorted {
          $0.variant.name < $1.variant.name
        }
        columns[kind.area, default: Column()].lessons[lesson] = Verdict.finding(own, kind, lesson: lesson)
      }
    }
    return columns
  }

  private func verdicts(on variants: [[Variant]]) throws -> [Verdict] {
    let work = Mutex(Work(open: variants.filter { !$0.isEmpty }.sorted { $0.count < $1.count }))
    let count = variants.joined().count
    let group = DispatchGroup()
    for worker in 1...max(1, min(variants.count, ProcessInfo.processInfo.activeProcessorCount)) {
      DispatchQueue.global().async(group: group) {
        do {
          while let next = work.withLock({ $0.open.popLast() }) {
            let scratch = Scratch(kata: kata, worker: worker)
            try scratch.sync(lessons: [next[0].lesson])
            for variant in next {
              let verdict = try verdict(variant, scratch)
              let done = work.withLock {
                $0.verdicts.append(verdict)
                return $0.verdicts.count
              }
              kata.terminal.live("\(kata.style.bar(done, of: count, width: 20)) \(done) of \(count): \(variant.name)")
            }
          }
        } catch {
          work.withLock { ($0.open, $0.failure) = ([], error) }
        }
      }
    }
    group.wait()
    let (verdicts, failure) = work.withLock { ($0.verdicts, $0.failure) }
    if let failure { throw failure }
    return verdicts
  }

  private func verdict(_ variant: Variant, _ scratch: Scratch) throws -> Verdict {
    if let fault = variant.fault { return Verdict(variant: variant, outcome: .refused(fault)) }
    defer { try? scratch.restore(variant) }
    if let fault = try scratch.apply(variant) { return Verdict(variant: variant, outcome: .refused(fault)) }
    var suites = scratch.proof
    suites.silence = Verdict.limit
    return Verdict(variant: variant, report: try suites.run(filter: "Solution\(variant.lesson)Tests\\."))
  }
}
