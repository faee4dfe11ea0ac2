import Given

/// What the profile screen shows. It lives on the main actor, and the compiler sees to it.
@MainActor
final class ProfileViewModel {
  private(set) var profile: Profile?
  /// What went wrong; `nil` when nothing did.
  private(set) var message: String?
  /// Whether the indicator turns.
  private(set) var isLoading = false

  private let service: any AsyncProfileService

  init(service: any AsyncProfileService) {
    self.service = service
  }

  /// Loads the profile. A load that begins while another is under way takes its place.
  func load() async {
    // Step 1: load, and show what comes. Whose answer is it when two loads are under way?
    message = "\(Unfinished("Lesson 9, step 1: load the profile"))"
  }
}
