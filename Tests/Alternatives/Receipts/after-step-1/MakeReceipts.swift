import Given

extension ReceiptStore: SwitchableReceiptService {}

/// Where receipts are used.
enum ReceiptsEnvironment: Sendable {
  /// Our customers' app, with everything.
  case app
  /// The app of our support. It never saves, and never tracks.
  case support
  /// The widget. It lives for a second, so it needs no cache, and it tracks nothing.
  case widget
}

/// Makes a receipt service for an environment.
///
/// - Parameters:
///   - environment: Where the receipts are used.
///   - disk: The files.
///   - now: A closure that returns the current date.
///   - log: A closure that writes a line to the app's log.
///   - track: A closure that tracks an event.
///   - main: A closure that runs work on the main queue.
func makeReceipts(
  for environment: ReceiptsEnvironment = .app, disk: any Disk, now: @escaping () -> Date,
  log: @escaping (String) -> Void, track: @escaping (String) -> Void, main: @escaping MainQueueRunner
) -> any SwitchableReceiptService {
  // Step 3: give each environment its layers.
  ReceiptStore(disk: disk, now: now, log: log, track: track, main: main)
}
