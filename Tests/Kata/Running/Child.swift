import Foundation

/// A process that was started here and can be stopped together with all that it has started.
///
/// `Process` cannot tell what its child has started, and `swift test` puts the tests into a process of their own.
final class Child {
  /// How a process ended.
  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// Its number in the system.
  let pid: pid_t
  private var ending: Ending?

  /// Starts a program in a process group of its own, without input.
  ///
  /// - Parameters:
  ///   - arguments: The program, looked up in `PATH`, and its arguments.
  ///   - environment: Its environment variables.
  ///   - output: The file to which it prints, errors included.
  /// - Throws: A ``Problem`` when it cannot be started.
  init(_ arguments: [String], environment: [String: String], output: String) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    guard result == 0 else {
      throw Problem("`\(arguments[0])` cannot be started: \(String(cString: strerror(result))). Is it in your PATH?")
    }
    self.pid = pid
  }

  /// How it ended; `nil` while it runs. Does not wait.
  func poll() -> Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
    ending = status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
    return ending
  }

  /// Stops it and everything that it has started: politely first, then by force.
  ///
  /// - Parameter patience: How long to be polite, in fiftieths of a second.
  func stop(patience: Int = 50) {
    guard poll() == nil else { return }
    let family = ProcessTree.descendants(of: pid)
    kill(pid, SIGINT)
    for _ in 0..<patience where poll() == nil { usleep(20_000) }
    for process in family + ProcessTree.descendants(of: pid) { kill(process, SIGKILL) }
    if poll() == nil {
      kill(-pid, SIGKILL)
      while poll() == nil { usleep(5_000) }
    }
  }

  /// Waits for its end.
  ///
  /// - Parameters:
  ///   - pause: Passes a little time, a fiftieth of a second at most.
  ///   - tick: Called after each pause.
  /// - Throws: ``Interrupted`` after a signal. The process has been stopped by then.
  func wait(pause: () -> Void = { usleep(20_000) }, tick: () throws -> Void = {}) throws -> Ending {
    do {
      while true {
        if let ending = poll() { return ending }
        try Interrupt.check()
        try tick()
        pause()
      }
    } catch {
      stop()
      throw error
    }
  }
}
