import Imaging
import Logging
import Postgres

/// Makes what several commands need, as the configuration asks for it.
package enum Connections {
    package static func database(
        _ configuration: ServerConfiguration, maxConnections: Int? = nil, logger: Logger
    ) -> PostgresClient {
        var postgres = PostgresConfiguration(url: configuration.database.url)
        postgres.maxConnections = maxConnections ?? configuration.database.maxConnections
        return PostgresClient(configuration: postgres, logger: logger)
    }

    static func imageProcessor(_ configuration: ServerConfiguration, logger: Logger) -> ImageProcessor {
        ImageProcessor(
            configuration: ImageProcessorConfiguration(
                workerPath: configuration.photos.workerPath, maxConcurrent: configuration.photos.workers,
                maxPixels: configuration.limits.uploadPixels),
            logger: logger)
    }
}
