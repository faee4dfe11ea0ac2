// `URLRequest`, `URLSession` and `HTTPURLResponse` are part of Foundation on Apple platforms and a module of their own on
// Linux. Handing them on from here spares every other file this fork in the road.
@_exported import Foundation

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
