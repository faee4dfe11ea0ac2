/// A stand-in for `UIViewController`. It loads its view once, when the view is first needed.
///
/// The real class is isolated to the main actor, and so are the real views. Ours are not, and the views record each change that
/// happens elsewhere.
open class ViewController {
  /// Whether the view has been loaded.
  public private(set) var isViewLoaded = false

  /// Creates a view controller whose view has not been loaded.
  public init() {}

  /// Loads the view and calls ``viewDidLoad()``, unless the view has been loaded already.
  public final func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    isViewLoaded = true
    viewDidLoad()
  }

  /// Called once, after the view has loaded. Override it to fill the screen.
  open func viewDidLoad() {}
}
