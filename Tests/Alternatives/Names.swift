// Names that learners may give to their own code, because they are ordinary: no suite may fail to compile because of them.
// `.ci/variants` adds this file to each alternative that is a folder.

import Foundation
import Given

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct AsyncCalls {}
struct Atomic {}
struct BlockListRelay {}
struct BlockListSpy {}
struct Calls {}
struct Candidate {}
struct ClosureClient {}
struct CredentialsStoreSpy {}
struct Deadline {}
struct HTTPClientSpy {}
struct HTTPResult {}
struct Inbox {}
struct Interruption {}
struct Judge {}
struct LeakTracker {}
struct ManualClock {}
struct ProfileServiceSpy {}
struct RandomEvent {}
struct RandomRequest {}
struct RandomRun {}
struct Running {}
struct SampleError {}
struct SeededRandom {}
struct Stopwatch {}
struct StoreRelay {}
struct StubServer {}

func eventually(_ work: () -> Void) { work() }
func makeSUT() -> String { "" }
func perform(_ work: () -> Void) { work() }

extension Credentials {
  static var user: Self { Self(accessToken: "", refreshToken: "", expiresAt: Date()) }
  var isExpired: Bool { false }
}

extension DispatchQueue {
  static var background: DispatchQueue { .global() }
}

extension HTTPURLResponse {
  var isSuccessful: Bool { statusCode == 200 }
}

extension Result {
  var error: (any Error)? { nil }
  var isSuccess: Bool { true }
  var value: Success? { try? get() }
}

extension URLRequest {
  var path: String { url?.path ?? "" }
  var token: String? { nil }
  func authorized(by token: String) -> URLRequest { self }
}
