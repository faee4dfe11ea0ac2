import Given

/// Returns a service that tracks the items of every load.
///
/// - Parameters:
///   - service: The service to forward calls to.
///   - tracker: The tracker that counts the values.
func tracked(_ service: any ItemService, by tracker: any Tracker) -> any ItemService {
  // Step 2: declare a decorator in this file, and return one that wraps `service`.
  service
}
