import ArgumentParser
import DaylyServer

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API, sends text messages and sweeps expired photos.",
        discussion: """
            Ends on SIGTERM or Ctrl-C once the requests in flight are answered. Does not start with an incomplete \
            configuration or on a database that `dayly migrate` has not brought up to date.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let (configuration, logger) = try await options.load()
        try await Server.run(configuration: configuration, logger: logger)
    }
}
