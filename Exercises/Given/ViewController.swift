/// A stand-in for `UIViewController`: it loads its view once, when somebody first wants to see it.
///
/// The real one is bound to the main actor, so that the compiler catches some of the mistakes of Lesson 2. Ours is not:
/// it lets you make them, and the views record what you did.
open class ViewController {
  /// Whether the view has been loaded.
  public private(set) var isViewLoaded = false

  public init() {}

  /// Loads the view if it has not been loaded yet, and then calls ``viewDidLoad()``.
  public final func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    isViewLoaded = true
    viewDidLoad()
  }

  /// Called once, after the view has been loaded. Override it to fill the screen.
  open func viewDidLoad() {}
}
