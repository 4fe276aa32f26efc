import Logging
import PhotoWorkers
import Postgres

/// Makes what several commands need, as the configuration asks for it.
package enum Connections {
    package static func database(
        _ configuration: ServerConfiguration, maxConnections: Int? = nil, name: String = "dayly",
        logger: Logger
    ) -> PostgresClient {
        var postgres = PostgresConfiguration(url: configuration.database.url)
        postgres.applicationName = name
        postgres.directURL = configuration.database.directURL
        postgres.maxConnections = maxConnections ?? configuration.database.maxConnections
        return PostgresClient(configuration: postgres, logger: logger)
    }

    /// One pool for requests and one for background work, out of `database.max_connections` together. A backlog of
    /// messages or deletions then takes no connection that a request could have. Where there is but one connection,
    /// both share it.
    static func pools(
        _ configuration: ServerConfiguration, logger: Logger
    ) -> (requests: PostgresClient, jobs: PostgresClient) {
        let all = configuration.database.maxConnections
        let name = RunningProcessStore.serving
        guard all > 1 else {
            let shared = database(configuration, name: name, logger: logger)
            return (shared, shared)
        }
        let share = max(1, all / 4)
        let requests = database(configuration, maxConnections: all - share, name: name, logger: logger)
        // With its signals: what a request commits wakes background work.
        var jobs = requests.configuration
        jobs.maxConnections = share
        // No client waits for background work.
        jobs.acquireTimeout = .seconds(15)
        jobs.poolName = "jobs"
        return (requests, PostgresClient(configuration: jobs, logger: logger))
    }

    /// The way that LISTEN and migrations take.
    static func direct(_ configuration: ServerConfiguration, logger: Logger) -> PostgresClient {
        var postgres = PostgresConfiguration(
            url: configuration.database.directURL ?? configuration.database.url)
        postgres.maxConnections = 1
        return PostgresClient(configuration: postgres, logger: logger)
    }

    static func imageProcessor(_ configuration: ServerConfiguration, logger: Logger) -> ImageProcessor {
        ImageProcessor(configuration: configuration.decoder, logger: logger)
    }
}
