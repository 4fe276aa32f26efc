import ArgumentParser
import CommandKit
import DaylyServer
import Foundation
import Logging
import Settings

/// The sources of a command's configuration.
struct ConfigurationOptions: CommandOptions {
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

    func values() throws -> SettingValues {
        try SettingValues.read(environment: environment, files: files())
    }

    /// The checked configuration. It also sets up the log of the process, and warns there of names that are not settings.
    func load(for purpose: Purpose = .service) throws -> (configuration: ServerConfiguration, logger: Logger)
    {
        try load(try values(), for: purpose)
    }

    func place() throws -> any CommandPlace {
        let values = try values()
        let (configuration, logger) = try load(values, for: .service)
        return ConfiguredPlace(configuration, values: values, logger: logger)
    }

    private func load(
        _ values: SettingValues, for purpose: Purpose
    ) throws -> (configuration: ServerConfiguration, logger: Logger) {
        let configuration = try ServerConfiguration(values: values, for: purpose)
        Observability.bootstrap(configuration.log)
        let logger = Logger(label: "dayly")
        for unknown in values.unknown { logger.warning("\(unknown.message)") }
        return (configuration, logger)
    }
}
