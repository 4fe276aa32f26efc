import Foundation
import Imaging
import Logging
import NIOCore

/// The picture worker: there, and able to turn a picture of one pixel into a photo.
struct WorkerChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func findings() async -> [Finding] {
        let path = configuration.photos.workerPath
        let remedy = "Set photos.worker_path (DAYLY_PHOTOS_WORKER_PATH) to the photo-worker of this version."
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return [.problem("photo-worker", "\(path) is no program", remedy: remedy)]
        }
        guard let png = Data(base64Encoded: Self.pixel) else { return [] }
        do {
            let worker = Connections.imageProcessor(configuration, logger: logger)
            let image = try await worker.process(ByteBuffer(bytes: png))
            guard image.width == 1, image.height == 1 else {
                return [.problem("photo-worker", "gives back another picture", remedy: remedy)]
            }
            return [.ok("photo-worker", "runs")]
        } catch {
            return [.problem("photo-worker", "fails: \(error)", remedy: remedy)]
        }
    }

    /// A PNG.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
}
