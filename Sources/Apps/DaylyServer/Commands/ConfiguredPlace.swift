import CommandKit
import Logging
import Postgres
import Push
import Settings

/// The service with a configuration, for the commands of products.
package struct ConfiguredPlace: CommandPlace {
    private let configuration: ServerConfiguration
    private let values: SettingValues
    private let logger: Logger

    /// - Parameter values: those of the configuration.
    package init(_ configuration: ServerConfiguration, values: SettingValues, logger: Logger) {
        self.configuration = configuration
        self.values = values
        self.logger = logger
    }

    package var pushPlatforms: Set<PushPlatform> { configuration.push.platforms }

    package func settings<Group: SettingGroup>() -> Group {
        SettingSource.$current.withValue(SettingSource(values)) { Group() }
    }

    package func requireOffered(_ name: String) throws {
        guard configuration.features.contains(where: { $0.rawValue == name }) else {
            throw CommandFailure(
                reason: "\(name.capitalized) is switched off.",
                remedy: "Add \(name) to features (DAYLY_FEATURES).")
        }
    }

    package func withDatabase<Value: Sendable>(
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        try await configuration.withDatabase(logger: logger, body)
    }

    package func onAgreedTime<Value: Sendable>(
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        try await configuration.withDatabaseAndBucket(logger: logger) { place in
            try await place.onAgreedTime(body)
        }
    }
}

extension PushSettings {
    /// The platforms to which push messages go.
    fileprivate var platforms: Set<PushPlatform> {
        Set(
            kinds.compactMap { kind -> PushPlatform? in
                switch kind {
                case .none: nil
                case .apns: .ios
                case .fcm: .android
                case .web: .web
                }
            })
    }
}
