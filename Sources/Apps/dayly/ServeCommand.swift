import ArgumentParser
import DaylyServer

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API, sends SMS and push messages, and deletes expired photos.",
        discussion: """
            On SIGTERM or Ctrl-C it answers the requests in flight, then ends. It does not start with an incomplete \
            configuration, or on a database that `dayly migrate` has not brought up to date.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let (configuration, logger) = try options.load()
        try await ServeAction.run(configuration: configuration, logger: logger)
    }
}
