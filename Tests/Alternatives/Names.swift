// Names that learners may give to their own code, because they are ordinary: no suite may fail to compile because of them.
// `.ci/variants` adds this file to each alternative that is a folder.

import Foundation
import Given

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Atomic {}
struct ClosureClient {}
struct HTTPResult {}
struct Stopwatch {}

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
