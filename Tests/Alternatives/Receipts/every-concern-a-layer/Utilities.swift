import Given

// Helpers with ordinary names. None of them may keep the suite from compiling.

struct Candidate {}
struct Deadline {}
struct Inbox {}
struct Jobs {}
struct Judge {}
struct Locked {}
struct Mistake {}
struct OneStore {}
struct RandomEvent {}
struct Scenario {}
struct SeededRandom {}
struct Side {}
struct World {}

func eventually(_ work: () -> Void) { work() }
func makeSUT() -> String { "" }
func perform(_ work: () -> Void) { work() }

extension Result {
  var inWords: String { "" }
  var text: String? { nil }
  var value: Success? { try? get() }
}
