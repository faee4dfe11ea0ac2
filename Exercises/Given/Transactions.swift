/// A movement on the bank account.
public struct Transaction: Equatable, Sendable {
  public var payee: String
  /// The amount in cents; negative when it was paid.
  public var cents: Int

  public init(payee: String, cents: Int) {
    self.payee = payee
    self.cents = cents
  }
}

/// A line of the list of transactions.
public struct TransactionsListItem: Equatable, Sendable {
  public var title: String
  public var amount: String

  /// A transaction as the list shows it: "Bakery", "-3.20".
  public init(_ transaction: Transaction) {
    let cents = transaction.cents.magnitude
    title = transaction.payee
    amount = "\(transaction.cents < 0 ? "-" : "")\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }
}

/// Where the transactions come from.
public protocol TransactionsLoading {
  /// Loads the transactions of the account.
  ///
  /// - Throws: Whatever kept them from arriving.
  func loadTransactions() async throws -> [Transaction]
}

/// The same as a function.
public typealias LoadTransactions = () async throws -> [Transaction]
