import Foundation
import Imaging
import Logging

/// The picture worker: there, and able to turn a picture of one pixel into a photo inside its sandbox.
struct WorkerChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func findings() async -> [Finding] {
        let path = configuration.photos.workerPath
        let remedy = "Set photos.worker_path (DAYLY_PHOTOS_WORKER_PATH) to the photo-worker of this version."
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return [.problem("photo-worker", "\(path) is no program", remedy: remedy)]
        }
        do {
            try await Connections.imageProcessor(configuration, logger: logger).check()
            return [.ok("photo-worker", "runs")]
        } catch {
            return [.problem("photo-worker", "fails: \(error)", remedy: remedy)]
        }
    }
}
