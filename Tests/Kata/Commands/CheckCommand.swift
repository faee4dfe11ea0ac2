/// stub
struct CheckCommand {
  let context: Context
  let lesson: Int?
  func run() throws -> ExitCode { .green }
}
