import Given

/// Stage 1, as we found it: logging through a singleton. There is nothing to write here.
enum Singleton {
  /// Shows the transactions, and logs how long they took.
  final class TransactionsListViewModel {
    /// What the list shows.
    private(set) var items: [TransactionsListItem] = []
    /// What went wrong; `nil` when nothing did.
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
