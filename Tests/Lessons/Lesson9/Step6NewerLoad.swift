import Given
import TestSupport
import Testing

@testable import Exercise9

@Suite("Step 6: a newer load (extra)", .oneAtATime)
struct Step6NewerLoad {
  @Test("a replaced load shows no result, even if it ends first")
  func replacedLoadShowsNothing() async {
    await each("end of the older load", in: [Result<String, Trouble>.success("Ada"), .failure(.offline)]) { end in
      await story(
        ScreenStory(),
        "A load that a newer one has replaced should change nothing on the screen. The newer one still needs the indicator."
      ) {
        await $0.play(.load, leadsTo: "the service is called", "the screen shows the indicator")
        await $0.play(.load, leadsTo: "the service is called")
        await $0.play(.end(1, with: end))
        await $0.play(.end(with: .success("Grace")), leadsTo: "the screen shows Grace, without the indicator")
      }
    }
  }

  @Test("a replaced load changes nothing if it ends after the newer one")
  func replacedLoadEndsLast() async {
    await story(
      ScreenStory(),
      "Loads may end in any order. Only the newest one changes the screen, and when it ends, the indicator stops."
    ) {
      await $0.play(.load, leadsTo: "the service is called", "the screen shows the indicator")
      for _ in 2...3 { await $0.play(.load, leadsTo: "the service is called") }
      await $0.play(.end(with: .success("Grace")), leadsTo: "the screen shows Grace, without the indicator")
      await $0.play(.end(1, with: .success("Ada")))
      await $0.play(.end(with: .failure(.offline)))
    }
  }

  @Test("canceling a replaced load leaves the newer load's indicator on")
  func replacedLoadIsCanceled() async {
    await story(ScreenStory(), "Only the older load is canceled. The newer one still needs the indicator and shows its profile.")
    {
      await $0.play(.load, leadsTo: "the service is called", "the screen shows the indicator")
      await $0.play(.load, leadsTo: "the service is called")
      await $0.play(.cancel(1), leadsTo: "the cancellation of load 1 reaches the service")
      await $0.play(.end(1, with: .failure(.cancellation)))
      await $0.play(.end(with: .success("Grace")), leadsTo: "the screen shows Grace, without the indicator")
    }
  }

  @Test("a load that fails in a canceled task shows no message")
  func canceledLoadShowsNothing() async {
    await each("error", in: Trouble.allCases) { trouble in
      await story(
        ScreenStory(),
        "A load that fails in a canceled task ends, so its indicator stops. It changes nothing else, whatever it throws: check the task, not the error."
      ) {
        await $0.play(.load, leadsTo: "the service is called", "the screen shows the indicator")
        await $0.play(.end(with: .success("Ada")), leadsTo: "the screen shows Ada, without the indicator")
        await $0.play(.load, leadsTo: "the service is called", "the screen shows the indicator and Ada")
        await $0.play(.cancel(), leadsTo: "the cancellation of load 2 reaches the service")
        await $0.play(.end(with: .failure(trouble)), leadsTo: "again, the screen shows Ada, without the indicator")
      }
    }
  }
}
