import Given

/// Stage 1: the view model logs through a singleton. Read this file, and leave it unchanged.
enum Singleton {
  /// Shows the transactions, and logs every load and its duration.
  @MainActor
  final class TransactionsListViewModel {
    /// The rows of the list.
    private(set) var items: [TransactionsListItem] = []
    /// The message about the last error, or `nil` if there is none.
    private(set) var message: String?

    private let loader: any TransactionsLoading

    init(loader: any TransactionsLoading) {
      self.loader = loader
    }

    func loadTransactions() async {
      let start = Date()
      do {
        let transactions = try await loader.loadTransactions()
        Logger.shared.log(LoadMessage.loaded(transactions.count, in: .seconds(Date().timeIntervalSince(start))))
        items = transactions.map(TransactionsListItem.init)
        message = nil
      } catch {
        Logger.shared.log(LoadMessage.failed(after: .seconds(Date().timeIntervalSince(start))))
        message = error.localizedDescription
      }
    }
  }
}
