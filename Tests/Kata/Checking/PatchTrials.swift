import Foundation
import Synchronization

/// Tries patches, one after the other in a lesson, and several lessons side by side.
///
/// Each worker has a copy of the package that holds one lesson at a time. Building and testing one small change keeps a
/// single processor busy at best, so that workers hardly get in each other's way.
struct PatchTrials: Sendable {
  let context: Context

  /// What all workers share.
  private struct Work {
    /// The lessons that nobody has begun with, the one with the fewest patches first.
    var open: [[Patch]]
    var verdicts: [Verdict] = []
    var failure: (any Error)?
  }

  /// Tries each patch against the suite of its lesson.
  ///
  /// - Returns: The verdicts, in the order of the patches.
  /// - Throws: ``Interrupted``, or a ``Problem`` when something cannot be written or started.
  func verdicts(on patches: [Patch]) throws -> [Verdict] {
    let lessons = Dictionary(grouping: patches, by: \.lesson).values.sorted { $0.count < $1.count }
    let work = Mutex(Work(open: lessons))
    let group = DispatchGroup()
    for worker in 1...max(1, min(lessons.count, ProcessInfo.processInfo.activeProcessorCount)) {
      DispatchQueue.global().async(group: group) {
        do {
          while let next = work.withLock({ $0.open.popLast() }) {
            try tryEach(of: next, worker: worker) { verdict in
              let count = work.withLock {
                $0.verdicts.append(verdict)
                return $0.verdicts.count
              }
              show(count, of: patches.count, verdict.patch.name)
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
    return patches.flatMap { patch in verdicts.filter { $0.patch == patch } }
  }

  /// Tries the patches of one lesson.
  private func tryEach(of patches: [Patch], worker: Int, done: (Verdict) -> Void) throws {
    guard let lesson = patches.first?.lesson else { return }
    let scratch = Scratch(repository: context.repository, folder: context.scratchFolder(ofWorker: worker))
    try scratch.sync(lessons: [lesson])
    for patch in patches { done(try verdict(patch, scratch)) }
  }

  private func verdict(_ patch: Patch, _ scratch: Scratch) throws -> Verdict {
    if let fault = patch.fault { return Verdict(patch: patch, outcome: "not tried", fault: fault) }
    defer { try? scratch.sync("Solutions/Lesson\(patch.lesson)") }
    if let fault = try scratch.apply(patch, environment: context.environment) {
      return Verdict(patch: patch, outcome: "does not apply", fault: fault)
    }
    let suites = SuiteRun(
      package: scratch.proof, environment: context.environment, folder: "\(scratch.folder)/..", silence: Verdict.limit)
    return Verdict(patch: patch, report: try suites.run(filter: "Solution\(patch.lesson)Tests\\."))
  }

  private func show(_ count: Int, of all: Int, _ name: String) {
    context.terminal.live("\(context.style.bar(count, of: all, width: 20)) \(count) of \(all): \(name)")
  }
}
