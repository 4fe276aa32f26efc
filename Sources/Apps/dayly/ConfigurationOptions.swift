import ArgumentParser
import DaylyServer
import Foundation
import Logging
import Settings

/// The sources of a command's configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: """
            A YAML or JSON file. A later one takes precedence over an earlier one, and DAYLY_… variables over both.
            """,
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var config: [String] = []

    var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The files that are named, or those of the installed package. Before it reads the latter, the process of root becomes
    /// the service's user: otherwise root would own files that the service has to change.
    func files() throws -> [String] {
        guard config.isEmpty else { return config }
        let installed = Surroundings.configurationFiles()
        if !installed.isEmpty { try ServiceUser.become() }
        return installed
    }

    func values() async throws -> SettingValues {
        try await SettingValues.read(environment: environment, files: files())
    }

    /// The checked configuration. It also sets up the log of the process, and warns there of names that are not settings.
    func load(for purpose: Purpose = .service) async throws -> (
        configuration: ServerConfiguration, logger: Logger
    ) {
        let values = try await values()
        let configuration = try ServerConfiguration(values: values, for: purpose)
        Observability.bootstrap(configuration.log)
        let logger = Logger(label: "dayly")
        for unknown in values.unknown { logger.warning("\(unknown.message)") }
        return (configuration, logger)
    }
}
