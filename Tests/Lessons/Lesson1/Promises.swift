import TestSupport
import Testing

// The suites whose tests Lesson 6 shares. Each test extends its suite in a file of its step.

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { try await Step1Send().sendsOnce() } }
}

@Suite("Step 1: send", .oneAtATime)
struct Step1Send {}
typealias Sending = Step1Send

@Suite("Step 2: authorize", .oneAtATime)
struct Step2Authorize {}
typealias Authorizing = Step2Authorize

@Suite("Step 3: block", .oneAtATime)
struct Step3Block {}
typealias Blocking = Step3Block
