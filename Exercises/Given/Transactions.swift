/// A transaction on a bank account.
public struct Transaction: Equatable, Sendable {
  /// The name of the other party.
  public var payee: String
  /// The amount in cents; negative for a payment.
  public var cents: Int

  /// Creates a transaction.
  public init(payee: String, cents: Int) {
    self.payee = payee
    self.cents = cents
  }
}

/// A line in the list of transactions.
public struct TransactionsListItem: Equatable, Sendable {
  /// The payee's name.
  public var title: String
  /// The amount, with two decimals.
  public var amount: String

  /// Formats a transaction for the list, for example as "Bakery" and "-3.20".
  public init(_ transaction: Transaction) {
    let cents = transaction.cents.magnitude
    title = transaction.payee
    amount = "\(transaction.cents < 0 ? "-" : "")\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }
}

/// Loads the transactions.
///
/// Code in Swift 5 mode, as it is in Lesson 8, need not prove that it is `Sendable`.
@preconcurrency public protocol TransactionsLoading: Sendable {
  /// Loads the account's transactions.
  ///
  /// - Throws: An error if the transactions could not be loaded.
  func loadTransactions() async throws -> [Transaction]
}

/// The same as ``TransactionsLoading``, as a function.
public typealias LoadTransactions = @Sendable () async throws -> [Transaction]
