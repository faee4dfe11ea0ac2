// `URLRequest`, `URLSession`, and `HTTPURLResponse` are part of Foundation on Apple platforms, and of a separate module on
// Linux. This file exports both, so that no other file has to distinguish the platforms.
@_exported import Foundation

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
