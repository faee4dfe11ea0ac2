// The page about Swift 6 mode links to this code. No package contains it: `.ci/mac-check` compiles it.
import Observation
import SwiftUI

protocol ArticlesLoader: Sendable {
  func titles() async throws -> [String]
}

struct RemoteArticlesLoader: ArticlesLoader {
  func titles() async throws -> [String] { ["The first article"] }
}

struct LoggingArticlesLoader: ArticlesLoader {
  let decoratee: any ArticlesLoader
  let log: @Sendable (Int) -> Void

  func titles() async throws -> [String] {
    let titles = try await decoratee.titles()
    log(titles.count)
    return titles
  }
}

@MainActor
@Observable
final class ArticlesModel {
  private(set) var titles: [String] = []
  private let loader: any ArticlesLoader

  init(loader: any ArticlesLoader) {
    self.loader = loader
  }

  func load() async {
    titles = (try? await loader.titles()) ?? []
  }
}

/// The composition root: nothing else names a decorator.
@main
struct ComposingApp: App {
  @State private var model = ArticlesModel(
    loader: LoggingArticlesLoader(decoratee: RemoteArticlesLoader()) { print("\($0) articles") })

  var body: some Scene {
    WindowGroup {
      ArticlesView().environment(model)
    }
  }
}

struct ArticlesView: View {
  @Environment(ArticlesModel.self) private var model

  var body: some View {
    List(model.titles, id: \.self) { Text($0) }
      .task { await model.load() }
  }
}
