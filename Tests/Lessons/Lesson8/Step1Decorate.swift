import Given
import TestSupport
import Testing

@testable import Exercise8

extension Trait where Self == OneAtATimeTrait {
  /// Shows one failure at a time, in the order of the page.
  static var oneAtATime: Self { Self { await Step1Decorate().logsTheLoad() } }
}

@Suite("Step 1: decorate", .oneAtATime)
struct Step1Decorate {
  @Test("a load is logged once, with its duration and number of transactions")
  func logsTheLoad() async {
    await expectLogs(.success(4), by: .decorator)
    await expectLogs(.success(0), by: .decorator)
    await expectLogs(.success(1), inACanceledTask: true, by: .decorator)
  }

  @Test("a failed load is logged once, and its error is thrown")
  func logsTheFailure() async {
    await each("error", in: Trouble.allCases, "task is canceled", in: [false, true]) {
      await expectLogs(.failure($0), inACanceledTask: $1, by: .decorator)
    }
  }

  @Test("the durations of overlapping loads are measured separately")
  func measuresOverlappingLoads() async {
    await expectOverlappingLoadsMeasured(by: .decorator)
  }

  @Test("the view model does not log")
  func viewModelDoesNotLog() async {
    await expectViewModelDoesNotLog(with: .decorator)
  }

  @Test("unchanged: the view model shows rows and messages")
  @MainActor
  func showsRowsAndMessages() async {
    let loader = OneResult()
    let sut = Decorated.TransactionsListViewModel(loader: loader)
    await expectShows(loader, { await sut.loadTransactions() }, { .shown(sut.items, sut.message) })
  }
}

/// Checks the message of a load that takes 1.5 seconds.
func expectLogs(
  _ ending: LoadEnding, inACanceledTask isCanceled: Bool = false, by subject: Stage.Subject,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  var rule =
    "Log each load once, with the injected logger and stopwatch. Then return its transactions or throw its error, unchanged."
  if isCanceled { rule = "Even in a canceled task, log a load as it ends: loaded if it returns, and failed if it throws." }
  await story(subject, rule, sourceLocation: sourceLocation) {
    await $0.load(.transactions, canceled: isCanceled, leadsTo: "load 1 requests the transactions")
    $0.pass(seconds: 1.5)
    switch ending {
    case .success(let count):
      await $0.end(
        1, with: ending, leadsTo: #"logged: "\#(LoadMessage.loaded(count, in: .seconds(1.5)))""#,
        "load 1 returns \((try? ending.values(of: 0)) ?? [])", at: sourceLocation)
    case .failure(let trouble):
      await $0.end(
        1, with: ending, leadsTo: #"logged: "\#(LoadMessage.failed(after: .seconds(1.5)))""#,
        "load 1 throws \(trouble.inWords)", at: sourceLocation)
    }
  }
}

/// Checks the durations of two loads that overlap.
func expectOverlappingLoadsMeasured(by subject: Stage.Subject, sourceLocation: SourceLocation = #_sourceLocation) async {
  await story(subject, "Start measuring when a load starts, separately for each load.", sourceLocation: sourceLocation) {
    await $0.load(.transactions, leadsTo: "load 1 requests the transactions")
    $0.pass(seconds: 2)
    await $0.load(.transactions, leadsTo: "load 2 requests the transactions")
    $0.pass(seconds: 3)
    await $0.end(
      2, with: .success(1), leadsTo: #"logged: "\#(LoadMessage.loaded(1, in: .seconds(3)))""#,
      #"load 2 returns ["Tea 2"]"#)
    await $0.end(
      1, with: .failure(.offline), leadsTo: #"logged: "\#(LoadMessage.failed(after: .seconds(5)))""#,
      "load 1 throws \(Trouble.offline.inWords)")
  }
}

/// Checks that a screen whose loads are logged does not log them as well.
func expectViewModelDoesNotLog(with subject: Stage.Subject, sourceLocation: SourceLocation = #_sourceLocation) async {
  let rule =
    "The loads are logged already, so the view model should not log. It should only show the rows and, after a failure, the error's message."
  let message = Trouble.offline.error.localizedDescription
  await story(subject, rule, sourceLocation: sourceLocation) {
    await $0.load(.screen, leadsTo: "load 1 requests the transactions while the screen shows []")
    await $0.end(
      1, with: .success(1), leadsTo: #"logged: "\#(LoadMessage.loaded(1, in: .zero))""#,
      #"load 1 returns while the screen shows ["Tea 1"]"#)
    await $0.load(.screen, leadsTo: #"load 2 requests the transactions while the screen shows ["Tea 1"]"#)
    await $0.end(
      2, with: .failure(.offline), leadsTo: #"logged: "\#(LoadMessage.failed(after: .zero))""#,
      #"load 2 returns while the screen shows ["Tea 1"] and the message "\#(message)""#)
  }
}

/// Checks what a view model shows, however it logs.
@MainActor
func expectShows(
  _ loader: OneResult, _ load: () async -> Void, _ shown: () -> String, sourceLocation: SourceLocation = #_sourceLocation
) async {
  var rows: [String] = []
  for ending in [LoadEnding.success(3), .failure(.offline), .failure(.cancellation), .success(0), .success(1)] {
    loader.ending = ending
    await Logger.$redirection.withValue(Inbox<String>()) { await load() }
    let message: String?
    do { (rows, message) = (try ending.values(of: 0), nil) } catch { message = error.localizedDescription }
    #expect(
      shown() == .shown(rows, message),
      """
      After a load that ends with \(ending.inWords(.screen)), the screen shows \(shown()), but it should show \
      \(String.shown(rows, message)). A success replaces the rows and removes the message. A failure keeps the rows and shows its message.
      """,
      sourceLocation: sourceLocation)
  }
}

/// A loader whose loads end immediately.
@MainActor
final class OneResult: TransactionsLoading {
  var ending = LoadEnding.success(0)

  func loadTransactions() async throws -> [Transaction] {
    try ending.values(of: 0).map { Transaction(payee: $0, cents: -320) }
  }
}
