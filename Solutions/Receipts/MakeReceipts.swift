import Given

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
/// It delivers a receipt from its cache, and refuses to save, before the call returns. Everything else is delivered on the main queue.
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
  let readOnly = Switch()
  func files(filling cache: ReceiptCache? = nil) -> any ReceiptService {
    DiskReceipts(disk: disk, filling: cache, now: now, log: log, main: main)
  }
  func cached() -> any ReceiptService {
    let cache = ReceiptCache(now: now)
    return CachedReceipts(files(filling: cache), cache: cache)
  }

  let layers: any ReceiptService =
    switch environment {
    case .app: ReadOnlyReceipts(TrackingReceipts(cached(), track: track, unless: { readOnly.isOn }), if: { readOnly.isOn })
    case .support: ReadOnlyReceipts(cached(), if: { true })
    case .widget: ReadOnlyReceipts(files(), if: { readOnly.isOn })
    }
  return ReceiptStore(layers, readOnly: readOnly)
}
