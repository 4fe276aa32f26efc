import Logging
import NIOCore

/// Turns uploaded bytes into what is stored, each picture in a process of its own.
package final class ImageProcessor: Sendable {
    private let configuration: ImageProcessorConfiguration
    private let logger: Logger

    package init(configuration: ImageProcessorConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Processes one picture; waits for a free worker.
    package func process(_ bytes: ByteBuffer) async throws(ImagingError) -> ProcessedImage {
        throw .unavailable("not built yet")
    }

    /// Processes one picture; `admit` runs when a worker is free, before decoding, and lets the caller refuse
    /// cheaply: what it throws is thrown.
    package func process(
        _ bytes: ByteBuffer, admit: @Sendable () async throws -> Void
    ) async throws -> ProcessedImage {
        try await admit()
        return try await process(bytes)
    }
}
