import Foundation
import Logging
import PhotoWorkers

/// Checks that the photo worker exists and can turn a picture of one pixel into a photo inside its sandbox.
struct WorkerChecks: Sendable {
    /// The result of the check.
    enum State: Equatable {
        case sandboxed
        /// It works without the system call filter, which the kernel refuses and the configuration does not require.
        case unsandboxed
        case sandboxRefused
        case missing
        case failing(String)
    }

    let configuration: ServerConfiguration
    let logger: Logger

    func state() async -> State {
        guard FileManager.default.isExecutableFile(atPath: configuration.decoder.workerPath) else {
            return .missing
        }
        do {
            let isSandboxed = try await Connections.imageProcessor(configuration, logger: logger).check()
            return isSandboxed ? .sandboxed : .unsandboxed
        } catch .sandboxRefused {
            return .sandboxRefused
        } catch {
            return .failing(Self.reason(error))
        }
    }

    /// The end of a sentence about the worker.
    private static func reason(_ error: PhotoWorkerError) -> String {
        switch error {
        case .unsupportedFormat, .unreadable, .tooLarge:
            "it does not decode a picture of one pixel; the file may belong to another version"
        case .overloaded: "no place for it became free in time"
        case .sandboxRefused: "the kernel refuses its sandbox"
        case .unavailable(let reason): reason
        }
    }

    func findings() async -> [Finding] {
        [Self.finding(await state(), path: configuration.decoder.workerPath)]
    }

    static func finding(_ state: State, path: String) -> Finding {
        let remedy = "Set photos.worker_path (DAYLY_PHOTOS_WORKER_PATH) to the photo-worker of this version."
        switch state {
        case .sandboxed:
            return .ok("photo-worker", "runs in its sandbox")
        case .unsandboxed:
            return .ok(
                "photo-worker",
                "runs WITHOUT its system call filter, which the kernel refuses and photos.sandbox does not require"
            )
        case .sandboxRefused:
            return .problem("photo-worker", refusal, remedy: refusalRemedy)
        case .missing:
            return .problem("photo-worker", "\(path) is not a program", remedy: remedy)
        case .failing(let error):
            return .problem("photo-worker", "fails: \(error)", remedy: remedy)
        }
    }

    static let refusal =
        "the kernel, or the container around it, refuses the photo worker's system call filter"
    static let refusalRemedy =
        "Allow seccomp filters: run a kernel with CONFIG_SECCOMP_FILTER, in a container whose profile permits seccomp(2). "
        + "Or set photos.sandbox=optional (DAYLY_PHOTOS_SANDBOX) to decode pictures under limits of memory, time and "
        + "files only."
}
