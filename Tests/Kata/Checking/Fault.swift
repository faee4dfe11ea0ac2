/// Something that a check has found wrong, said in a sentence to the maintainer.
struct Fault: Equatable {
  /// The columns of the check's table.
  enum Area: String, CaseIterable {
    case redStart = "red start"
    case solution
    case impostors
    case alternatives
    case page
  }

  /// `nil` when it concerns them all.
  let lesson: Int?
  let area: Area
  let sentence: String
}
