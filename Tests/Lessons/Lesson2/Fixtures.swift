import Given

extension Profile {
  static let ada = Profile(userName: "Ada Lovelace", address: "12 St James's Square, London")
}

/// Where services like to answer.
enum BackgroundQueue: CaseIterable {
  case concurrent
  case serial

  var queue: DispatchQueue {
    switch self {
    case .concurrent: .global()
    case .serial: DispatchQueue(label: "a service's own queue")
    }
  }
}
