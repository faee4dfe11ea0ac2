import Foundation
import Given

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Helpers with ordinary names. None of them may keep the suite from compiling.

struct BackEnd {}
struct BackgroundQueue {}
struct BlockListSpy {}
struct Calls {}
struct ClosureClient {}
struct Event {}
struct HTTPClientSpy {}
struct HTTPResult {}
struct Inbox {}
struct ManualClock {}
struct Model {}
struct RandomEvent {}
struct Running {}
struct Scenario {}
struct Scene {}
struct Stage {}
struct Story {}
struct StubServer {}
struct SampleError {}
struct World {}

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
