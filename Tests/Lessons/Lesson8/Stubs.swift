import Given

/// A loader that does what a closure does.
struct LoaderStub: TransactionsLoading {
  let load: LoadTransactions

  func loadTransactions() async throws -> [Transaction] { try await load() }
}

/// A service that does what a closure does.
struct ItemServiceStub: ItemService {
  let load: () async throws -> [String]

  func loadItems() async throws -> [String] { try await load() }
}

extension Transaction {
  static let rent = Self(payee: "Rent", cents: -90_000)
  static let salary = Self(payee: "Salary", cents: 250_005)
}
