import ArgumentParser
import DaylyServer
import Foundation
import Logging

/// Where a command's configuration comes from.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("config"), help: "A YAML or JSON file; DAYLY_… variables win over it.",
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String?

    var environment: [String: String] { ProcessInfo.processInfo.environment }

    func values() async throws -> SettingValues {
        try await SettingValues.read(environment: environment, file: file)
    }

    /// What is in force, checked; says which names mean nothing, and lets the process log from here on.
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
