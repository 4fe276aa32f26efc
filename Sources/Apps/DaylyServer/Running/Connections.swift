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
        let photos = configuration.photos
        return ImageProcessor(
            configuration: ImageProcessorConfiguration(
                workerPath: photos.workerPath, maxConcurrent: photos.workers,
                // Whose body has been read keeps its turn: it would only come again with all of it.
                queueSize: photos.queueSize, maxQueued: configuration.http.maxUploads,
                wallClock: photos.workerTimeout, cpuSeconds: Int(photos.workerCPU.components.seconds),
                memoryBytes: photos.workerMemory, maxPixels: configuration.limits.uploadPixels,
                formats: photos.formats, sandbox: photos.sandbox),
            logger: logger)
    }
}
