import ArgumentParser
import DaylyServer
import Foundation
import Logging
import Settings

/// The sources of a command's configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("config"), help: "A YAML or JSON file. DAYLY_… variables take precedence over it.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String?

    var environment: [String: String] { ProcessInfo.processInfo.environment }

    func values() async throws -> SettingValues {
        try await SettingValues.read(environment: environment, file: file)
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
