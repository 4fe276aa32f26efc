import CImageCodecs
import CProcess

/// The reason why the worker made no photo. Each has its own exit code.
package enum WorkerFailure: Error {
    case unsupported
    case unreadable
    case tooLarge
    case outOfMemory
    case notSetUp
    case sandboxRefused

    package var exitCode: photo_worker_exit {
        switch self {
        case .unsupported: .unsupported
        case .unreadable: .unreadable
        case .tooLarge: .tooLarge
        case .outOfMemory: .outOfMemory
        case .notSetUp: .notSetUp
        case .sandboxRefused: .sandboxRefused
        }
    }
}

extension codec_status {
    func check() throws(WorkerFailure) {
        switch self {
        case .ok: return
        case .unsupported: throw .unsupported
        case .unreadable: throw .unreadable
        case .outOfMemory: throw .outOfMemory
        }
    }
}
