// The file of the remote service declares the decorator, as the service's subclass. The remote service requests, and nothing else.

import Given

/// Returns a service that tracks the items of every load.
///
/// - Parameters:
///   - service: The service to forward calls to.
///   - tracker: The tracker that counts the values.
func tracked(_ service: any ItemService, by tracker: any Tracker) -> any ItemService {
  CountedItemService(service, tracker)
}
