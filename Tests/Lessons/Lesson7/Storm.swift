import Given
import TestSupport
import Testing

@testable import Exercise7

/// Loads hundreds of things that nobody has chosen through the learner's decorators, lets each load end somewhere, and compares what
/// becomes of it. The values are drawn in each round, and are the same in each run.
@MainActor
func expectEachLoadIsRight(sourceLocation: SourceLocation = #_sourceLocation) async {
  /// A load, and what has to become of it.
  struct Load {
    let kind: Kind
    let ending: LoaderSpy.Ending
    let place: Place
    let received = Inbox<(text: String, isOnMainQueue: Bool)>()
    var task: (any FeedImageDataLoaderTask)?
    var isCanceled = false

    var inWords: String {
      "\(kind.rawValue), which ends with \(ending.inWords.isEmpty ? "nothing" : ending.inWords), \(place.inWords)"
    }
  }
  var random = SeededRandom(seed: 7)
  await each("round", in: 1...300) { _ in
    var sut: Decorators?
    let retained: Comment =
      "All loads have ended, but something is still retained. What do your closures capture, and what do your objects store?"
    await expectReleased(retained, sourceLocation: sourceLocation) { leaks in
      let (loader, kinds) = (LoaderSpy(), Kind.allCases.shuffled(using: &random).prefix(2) + [.image])
      loader.leaks = leaks
      // Often, one decorator is around another one.
      sut = Decorators(around: loader, layers: .random(in: 1...2, using: &random))
      var (loads, called, canceled, inFlight): ([Load], [String], [Int], [Int]) = ([], [], [], [])

      /// Ends a load, and compares what is delivered before the loader's code goes on.
      func end(_ index: Int) {
        let load = loads[index]
        load.place.run { loader.calls.complete(index, with: load.ending) }
        guard load.place != .otherQueue else { return }
        #expect(
          load.received.values.count == (load.place == .mainQueue ? 1 : 0),
          "On the main queue, deliver a result before you return to the loader. Anywhere else, deliver it after a hop.",
          sourceLocation: sourceLocation)
      }

      for index in 0..<Int.random(in: 1...5, using: &random) {
        let (kind, place) = (kinds.randomElement(using: &random)!, Place.allCases.randomElement(using: &random)!)
        loads.append(Load(kind: kind, ending: .random(of: kind, index, using: &random), place: place))
        let url = [FeedImage.cat, .dog].randomElement(using: &random)!.url
        called.append(kind == .image ? url.lastPathComponent : kind.rawValue)
        // A cache ends a load before the call returns. The main queue has a part in it only if the call is made there.
        let isEarly = Int.random(in: 0..<4, using: &random) == 0
        let isOnMainQueue = isEarly ? place != .otherQueue : Bool.random(using: &random)
        let isTaskReleased = Bool.random(using: &random)
        await naming(["load": loads[index].inWords]) {
          if isEarly { loader.onCall = { end(index) } }
          let (received, lifetime) = (loads[index].received, leaks.lifetime(of: "the completion"))
          let start = {
            loads[index].task = sut?.load(kind, from: url) { text in
              withExtendedLifetime(lifetime) { received.receive((text, MainQueue.isCurrent)) }
            }
          }
          if isOnMainQueue { start() } else { _ = await returns(start) }
          if let task = loads[index].task { leaks.track(task as AnyObject, as: "the task that you return") }
          #expect(
            loader.calls.arguments == called, "Call the loader once, for the same image, before your method returns.",
            sourceLocation: sourceLocation)
        }
        if !isEarly { inFlight.append(index) }
        if isTaskReleased { loads[index].task = nil }
      }

      // From here on, often nothing but the loads in flight retains the decorators.
      if Bool.random(using: &random) {
        sut = nil
        leaks.track(loader)
      }
      for index in inFlight.shuffled(using: &random) {
        let isCanceled = Int.random(in: 0..<4, using: &random) == 0
        await naming(["load": loads[index].inWords]) {
          if isCanceled, loads[index].task != nil {
            loads[index].task?.cancel()
            (loads[index].task, loads[index].isCanceled) = (nil, true)
            canceled.append(index)
            await eventually { loader.canceled.count >= canceled.count }
          } else if loads[index].place == .otherQueue {
            _ = await returns { end(index) }
          } else {
            end(index)
          }
          #expect(
            loader.canceled == canceled, "Cancel the loads that the caller cancels, and no other.", sourceLocation: sourceLocation
          )
        }
      }
      for load in loads where !load.isCanceled { await load.received.receives(1) }
      await mainQueueDrained()
      for load in loads {
        await naming(["load": load.inWords]) {
          let (texts, isOnMainQueue) = (load.received.values.map(\.text), load.received.values.allSatisfy(\.isOnMainQueue))
          #expect(
            texts == (load.isCanceled ? [] : [load.ending.inWords]), "Deliver what the loader delivers, once, unchanged.",
            sourceLocation: sourceLocation)
          #expect(isOnMainQueue, "Wherever a result arrives, deliver it on the main queue.", sourceLocation: sourceLocation)
        }
      }
    }
    withExtendedLifetime(sut) {}
  }
}

extension LoaderSpy.Ending {
  /// Makes up the ending of a load. User data never fails.
  fileprivate static func random(of kind: Kind, _ index: Int, using random: inout SeededRandom) -> Self {
    let text = ["cat\(index)", "cat\(index) dog", "cat", ""].randomElement(using: &random)!
    let error = SampleError.random(using: &random).error
    return kind == .userData || Bool.random(using: &random) ? .success(text) : .failure(error)
  }
}
