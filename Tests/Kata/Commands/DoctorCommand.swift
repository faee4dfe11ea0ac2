/// stub
struct DoctorCommand {
  let context: Context
  func run() throws -> ExitCode { .green }
}
