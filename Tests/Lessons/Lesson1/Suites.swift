import Testing

@Suite("Step 1: send")
struct Step1Send {}
typealias Sending = Step1Send

@Suite("Step 2: authorize")
struct Step2Authorize {}
typealias Authorizing = Step2Authorize

@Suite("Step 3: block")
struct Step3Block {}
typealias Blocking = Step3Block
