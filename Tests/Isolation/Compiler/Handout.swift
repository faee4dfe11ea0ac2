// The code of tasks 1 and 5 on the handout, which has to compile. Both sheets have screens and decorators as people write them in
// Swift 5 mode.

import Foundation

enum Trams {
  struct Stop {}
  struct Departure {}
  typealias Completion = (Result<[Departure], any Error>) -> Void

  protocol Departures: AnyObject { func next(at stop: Stop, completion: @escaping Completion) }

  final class Spinner {
    func start() {}
    func stop() {}
  }

  final class Cache {
    nonisolated(unsafe) static let shared = Cache()
    func save(_ result: Result<[Departure], any Error>, for stop: Stop) {}
  }

  final class Screen {
    let departures: any Departures
    let spinner = Spinner()

    init(departures: any Departures) { self.departures = departures }

    func showDepartures(at stop: Stop) {
      Analytics.shared.track("departures opened")
      spinner.start()
      let start = Date()
      departures.next(at: stop) { result in
        AppLog.shared.write("departures: \(Date().timeIntervalSince(start)) s")
        DispatchQueue.main.async {
          self.spinner.stop()
          Cache.shared.save(result, for: stop)
          self.show(result)
        }
      }
    }

    func show(_ result: Result<[Departure], any Error>) {}
  }

  final class RetryingDepartures: Departures {
    private let decoratee: any Departures
    init(decoratee: any Departures) { self.decoratee = decoratee }

    func next(at stop: Stop, completion: @escaping Completion) {
      decoratee.next(at: stop) { [decoratee] result in
        guard case .failure = result else { return completion(result) }
        decoratee.next(at: stop, completion: completion)
      }
    }
  }
}

enum Weather {
  struct City { let name: String }
  struct Forecast {}
  typealias Completion = (Result<Forecast, any Error>) -> Void

  protocol Forecasts: AnyObject { func forecast(for city: City, completion: @escaping Completion) }

  final class Label { var text = "" }
  final class Chart { var isHidden = true }

  final class Cache {
    nonisolated(unsafe) static let shared = Cache()
    func forecast(for city: City) -> Result<Forecast, any Error>? { nil }
  }

  final class Screen {
    let forecasts: any Forecasts
    let (title, chart) = (Label(), Chart())

    init(forecasts: any Forecasts) { self.forecasts = forecasts }

    func showForecast(for city: City) {
      title.text = city.name
      let began = Date()
      if let kept = Cache.shared.forecast(for: city) { return show(kept) }
      forecasts.forecast(for: city) { result in
        AppLog.shared.write("forecast: \(Date().timeIntervalSince(began)) s")
        DispatchQueue.main.async {
          Analytics.shared.track("forecast shown")
          self.chart.isHidden = false
          self.show(result)
        }
      }
    }

    func show(_ result: Result<Forecast, any Error>) {}
  }

  final class FallbackForecasts: Forecasts {
    private let first: any Forecasts
    private let second: any Forecasts
    init(first: any Forecasts, second: any Forecasts) { (self.first, self.second) = (first, second) }

    func forecast(for city: City, completion: @escaping Completion) {
      first.forecast(for: city) { [second] result in
        guard case .failure = result else { return completion(result) }
        second.forecast(for: city, completion: completion)
      }
    }
  }
}

final class Analytics {
  nonisolated(unsafe) static let shared = Analytics()
  func track(_ event: String) {}
}

final class AppLog {
  nonisolated(unsafe) static let shared = AppLog()
  func write(_ line: String) {}
}
